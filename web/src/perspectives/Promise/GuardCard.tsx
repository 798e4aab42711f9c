import type { PartFacts, Spec } from "../../api/types";
import { IconButton } from "../../components/IconButton";
import { PartFields } from "../../components/part/PartFields";
import { stated } from "../../words";
import { useFeasibility } from "./useFeasibility";
import { Verdict } from "./Verdict";

interface Props {
  part: PartFacts;
  spec: Spec;
  onChange: (spec: Spec, settled: boolean) => void;
  onRemove: () => void;
}

/** One promise: in plain words, its settings, and how the data stands to it. */
export function GuardCard({ part, spec, onChange, onRemove }: Props) {
  const { feasibility, error, waiting } = useFeasibility(spec);
  return (
    <section className="card guard" aria-label={part.kind}>
      <div className="stack">
        <div className="card-head">
          <div className="grow">
            <h2>{part.kind}</h2>
            <p className="guard-promise">{stated(feasibility?.promise || part.says)}</p>
          </div>
          <IconButton icon="trash" label={`Remove ${part.kind}`} onPress={onRemove} />
        </div>
        <PartFields part={part} spec={spec} onChange={onChange} />
        {part.leaves_open && <p className="quiet small">Leaves open: {part.leaves_open}</p>}
      </div>
      <Verdict feasibility={feasibility} error={error} waiting={waiting} />
    </section>
  );
}
