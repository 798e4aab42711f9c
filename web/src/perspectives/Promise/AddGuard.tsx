import { useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import type { PartFacts, Spec } from "../../api/types";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { startOf } from "../../components/part/ranges";

/** A new promise with its usual settings. */
export function AddGuard({ guards, onAdd }: { guards: PartFacts[]; onAdd: (spec: Spec) => void }) {
  const [isOpen, setOpen] = useState(false);
  const add = (part: PartFacts): void => {
    const needed = part.fields.filter((field) => field.required);
    onAdd({ kind: part.kind, ...Object.fromEntries(needed.map((field) => [field.name, startOf(field)])) });
    setOpen(false);
  };
  return (
    <div>
      <Button icon="plus" onPress={() => setOpen(true)}>
        Add a promise
      </Button>
      <Dialog title="Add a promise" isOpen={isOpen} onClose={() => setOpen(false)} wide>
        <ul className="choices choices-two">
          {guards.map((part) => (
            <li key={part.kind}>
              <AriaButton className="choice" onPress={() => add(part)}>
                <span className="choice-title">{part.kind}</span>
                <span className="quiet small">{part.says}</span>
              </AriaButton>
            </li>
          ))}
        </ul>
      </Dialog>
    </div>
  );
}
