import { type ComponentType, useState } from "react";
import { useDebounced } from "../../../api/useDebounced";
import { useLoaded } from "../../../api/useLoaded";
import type { ColumnFacts, HierarchyNode, Spec } from "../../../api/types";
import { Button } from "../../../components/Button";
import { Dialog } from "../../../components/Dialog";
import { Loading } from "../../../components/Loading";
import { Notice } from "../../../components/Notice";
import { Segments } from "../../../components/Segments";
import { useStudio } from "../../../studio/context";
import { Beginnings } from "./kinds/Beginnings";
import { Dates } from "./kinds/Dates";
import { FrequentValues } from "./kinds/FrequentValues";
import { Intervals } from "./kinds/Intervals";
import { Learnt } from "./kinds/Learnt";
import { Mask } from "./kinds/Mask";
import { OrderAndGroup } from "./kinds/OrderAndGroup";
import { Suggested } from "./kinds/Suggested";
import { Suppress } from "./kinds/Suppress";
import { TopBottom } from "./kinds/TopBottom";
import { LevelsPreview } from "./LevelsPreview";

export interface FormProps {
  facts: ColumnFacts;
  /** The column's values in order, with their rows; not all of them where there are very many. */
  values: readonly HierarchyNode[];
  onSpec: (spec: Spec | null) => void;
}

interface Kind {
  id: string;
  label: string;
  form: ComponentType<FormProps>;
}

const KINDS: readonly Kind[] = [
  { id: "suggested", label: "Suggested", form: Suggested },
  { id: "intervals", label: "Intervals", form: Intervals },
  { id: "coding", label: "Top and bottom", form: TopBottom },
  { id: "dates", label: "Dates", form: Dates },
  { id: "mask", label: "Mask", form: Mask },
  { id: "prefixes", label: "Beginnings", form: Beginnings },
  { id: "frequent", label: "Frequent values", form: FrequentValues },
  { id: "grouping", label: "Order and group", form: OrderAndGroup },
  { id: "learnt", label: "Read off the data", form: Learnt },
  { id: "suppress", label: "All or nothing", form: Suppress },
];

/** Builds a hierarchy in front of you: a kind, its settings, and what comes of them. */
export function Builder({ facts, isOpen, onClose }: { facts: ColumnFacts; isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={`Build a hierarchy for ${facts.name}`} isOpen={isOpen} onClose={onClose} wide>
      {isOpen && <Wizard facts={facts} onClose={onClose} />}
    </Dialog>
  );
}

function Wizard({ facts, onClose }: { facts: ColumnFacts; onClose: () => void }) {
  const { ask, change } = useStudio();
  const column = facts.name;
  const [kind, setKind] = useState("suggested");
  const [spec, setSpec] = useState<Spec | null>(null);
  const settled = useDebounced(spec, 200);
  const values = useLoaded(column, (signal) =>
    ask("POST /api/sessions/{session}/hierarchy/preview", { query: { column }, body: { spec: { kind: "suppress" } } }, signal),
  );
  const preview = useLoaded(settled && JSON.stringify(settled), (signal) =>
    ask("POST /api/sessions/{session}/hierarchy/preview", { query: { column }, body: { spec: settled } }, signal),
  );
  const Form = KINDS.find((each) => each.id === kind)!.form;
  const leaves = values.data?.nodes.filter((node) => node.level === 0) ?? [];
  const apply = async (): Promise<void> => {
    if (await change("PUT /api/sessions/{session}/hierarchy", { query: { column }, body: { spec } })) onClose();
  };
  return (
    <>
      <Segments
        label="Kind"
        options={KINDS}
        value={kind}
        onChange={(next) => {
          if (next === kind) return; // its form is there, and told its settings already
          setSpec(null);
          setKind(next);
        }}
      />
      {values.data ? <Form key={kind} facts={facts} values={leaves} onSpec={setSpec} /> : <Loading label="Reading the values" />}
      <div aria-live="polite" className="stack-s">
        {preview.error && settled && <Notice tone="warn">{preview.error}</Notice>}
        {settled && preview.data && !preview.error && <LevelsPreview view={preview.data} />}
      </div>
      <div className="row dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="primary" isDisabled={!spec || Boolean(preview.error)} onPress={() => void apply()}>
          Use this hierarchy
        </Button>
      </div>
    </>
  );
}
