import { useState } from "react";
import type { PartFacts, Spec } from "../../api/types";
import { Button, Choices, Dialog } from "../../components";
import { startOf } from "../../components/part/ranges";
import { sentence } from "../../words";

/** Adds a promise with its initial settings. */
export function AddGuard({ guards, onAdd }: { guards: PartFacts[]; onAdd: (spec: Spec) => void }) {
  const [isOpen, setOpen] = useState(false);
  const add = (kind: string): void => {
    const required = guards.find((part) => part.kind === kind)?.fields.filter((field) => field.required) ?? [];
    onAdd({ kind, ...Object.fromEntries(required.map((field) => [field.name, startOf(field)])) });
    setOpen(false);
  };
  return (
    <div>
      <Button icon="plus" onPress={() => setOpen(true)} label="Add a promise" />
      <Dialog title="Add a promise" isOpen={isOpen} onClose={() => setOpen(false)} wide>
        <Choices
          isWide
          options={guards.map(({ kind, title, says }) => ({ id: kind, title: sentence(title), text: says }))}
          onChoose={add}
        />
      </Dialog>
    </div>
  );
}
