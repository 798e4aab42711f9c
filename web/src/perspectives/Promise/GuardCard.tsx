import { useDebounced } from "../../api/useDebounced";
import type { PartFacts, Spec } from "../../api/types";
import { IconButton, PartFields } from "../../components";
import { useAnswer, useStudio } from "../../studio";
import { sentence } from "../../words";
import { Verdict } from "./Verdict";

interface Props {
  part: PartFacts;
  spec: Spec;
  onChange: (spec: Spec, settled: boolean) => void;
  onRemove: () => void;
}

/** One promise in plain words, its settings, and its verdict on the source. */
export function GuardCard({ part, spec, onChange, onRemove }: Props) {
  const { session } = useStudio();
  const { source, roles, denied, levels, population, one_row_per_person: kept, by } = session.document;
  const asked = useDebounced(spec, 120);
  const request = source && { body: { guards: [asked] } };
  const checked = useAnswer(
    "POST /api/sessions/{session}/feasibility",
    request,
    JSON.stringify([source, roles, denied, levels, population, kept, by]),
  );
  const feasibility = checked.data?.[0] ?? null;
  return (
    <section className="card guard" aria-label={sentence(part.title)}>
      <div className="stack">
        <div className="card-head">
          <div className="grow">
            <h2>{sentence(part.title)}</h2>
            <p className="guard-promise">{feasibility?.promise || sentence(part.says)}</p>
          </div>
          <IconButton icon="trash" label={`Remove ${part.title}`} onPress={onRemove} />
        </div>
        <PartFields part={part} spec={spec} onChange={onChange} />
        {part.leaves_open && <p className="quiet small">Not covered: {part.leaves_open}</p>}
      </div>
      <Verdict feasibility={feasibility} error={checked.error} waiting={checked.loading || asked !== spec} />
    </section>
  );
}
