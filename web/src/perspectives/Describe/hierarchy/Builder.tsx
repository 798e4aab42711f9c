import { type ComponentType, useState } from "react";
import { useDebounced } from "../../../api/useDebounced";
import type { ColumnFacts, HierarchyNode, Spec } from "../../../api/types";
import { FormDialog, Loading, Messages, Segments } from "../../../components";
import { useAnswer, useStudio } from "../../../studio";
import { Dates } from "./kinds/Dates";
import { FrequentValues } from "./kinds/FrequentValues";
import { Intervals } from "./kinds/Intervals";
import { Mask } from "./kinds/Mask";
import { OrderedGroups } from "./kinds/OrderedGroups";
import { Prefixes } from "./kinds/Prefixes";
import { Learned, Suggested, Suppression } from "./kinds/WithoutSettings";
import { TopBottom } from "./kinds/TopBottom";
import { LevelsPreview } from "./LevelsPreview";

export interface FormProps {
  facts: ColumnFacts;
  /** The column's values in order with their numbers of rows; incomplete where there are very many. */
  values: readonly HierarchyNode[];
  onSpec: (spec: Spec | null) => void;
}

const KINDS: readonly { id: string; label: string; form: ComponentType<FormProps> }[] = [
  { id: "suggested", label: "Suggested", form: Suggested },
  { id: "intervals", label: "Intervals", form: Intervals },
  { id: "coding", label: "Top and bottom coding", form: TopBottom },
  { id: "dates", label: "Dates", form: Dates },
  { id: "mask", label: "Mask", form: Mask },
  { id: "prefixes", label: "Prefixes", form: Prefixes },
  { id: "frequent", label: "Frequent values", form: FrequentValues },
  { id: "grouping", label: "Ordered groups", form: OrderedGroups },
  { id: "learned", label: "Learned from the data", form: Learned },
  { id: "suppress", label: "Suppression", form: Suppression },
];

/** Builds a hierarchy: a kind, its settings, and a preview of the levels. */
export function Builder({ facts, onClose }: { facts: ColumnFacts; onClose: () => void }) {
  const { change } = useStudio();
  const column = facts.name;
  const [kind, setKind] = useState("suggested");
  const [spec, setSpec] = useState<Spec | null>(null);
  const settled = useDebounced(spec, 200);
  const preview = useAnswer("POST /api/sessions/{session}/hierarchy/preview", settled && { query: { column }, body: { spec: settled } });
  const suppressed = { query: { column }, body: { spec: { kind: "suppress" } } };
  const values = useAnswer("POST /api/sessions/{session}/hierarchy/preview", suppressed);
  const Form = KINDS.find(({ id }) => id === kind)!.form;
  const leaves = values.data?.nodes.filter((node) => node.level === 0) ?? [];
  const apply = async (): Promise<void> => {
    if (await change("PUT /api/sessions/{session}/hierarchy", { query: { column }, body: { spec } })) onClose();
  };
  return (
    <FormDialog
      title={`Build a hierarchy for ${column}`}
      action="Use this hierarchy"
      isOpen
      onClose={onClose}
      onSubmit={() => void apply()}
      isDisabled={!spec || Boolean(preview.error)}
      wide>
      <Segments
        label="Kind"
        options={KINDS}
        value={kind}
        onChange={(next) => {
          if (next === kind) return; // its form has reported its settings already
          setSpec(null);
          setKind(next);
        }}
      />
      {values.data ? <Form key={kind} facts={facts} values={leaves} onSpec={setSpec} /> : <Loading label="Loading the values" />}
      <div aria-live="polite" className="stack-s">
        {settled && <Messages tone="warn" texts={[preview.error]} />}
        {settled && preview.data && !preview.error && <LevelsPreview view={preview.data} />}
      </div>
    </FormDialog>
  );
}
