import { Pending } from "../../../../components";
import { useAnswer } from "../../../../studio";
import type { FormProps } from "../Builder";
import { useSpec } from "./useSpec";

/** The kind that fits the values: months for dates, round intervals for numbers, prefixes for codes. */
export function Suggested({ facts, onSpec }: FormProps) {
  const proposal = useAnswer("POST /api/sessions/{session}/hierarchy/suggest", { query: { column: facts.name } });
  useSpec(onSpec, proposal.data?.spec ?? null);
  if (!proposal.data) return <Pending of={proposal} label="Analysing the values" />;
  return <p className="quiet">{`This fits the values: ${proposal.data.notes[0]}. Choose another kind to set it yourself.`}</p>;
}

/** Learned from the data: numbers in bands, other values by the similarity of their records. */
export function Learned({ facts, onSpec }: FormProps) {
  const proposal = useAnswer("POST /api/sessions/{session}/hierarchy/learn", { query: { column: facts.name } });
  useSpec(onSpec, proposal.data?.spec ?? null);
  if (!proposal.data) return <Pending of={proposal} label="Learning from the data" />;
  return <p className="quiet">Numbers are grouped into adjacent bands, other values by the similarity of their records.</p>;
}

/** Two levels: the value, or nothing. */
export function Suppression({ onSpec }: FormProps) {
  useSpec(onSpec, { kind: "suppress" });
  return <p className="quiet">Two levels: every value as it is, or all values suppressed.</p>;
}
