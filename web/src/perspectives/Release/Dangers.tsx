import type { Costs, DangerView } from "../../api/types";
import { CostList } from "../../candidates/Costs";
import { Button, Checkbox, Messages, Progress } from "../../components";
import { useJob, useStudio } from "../../studio";
import { sentence } from "../../words";

interface Props {
  candidate: string;
  dangers: readonly DangerView[];
  accepted: readonly string[];
  onChange: (names: string[]) => void;
}

/** What attacks on the release found: each can be repaired, or accepted. */
export function Dangers({ candidate, dangers, accepted, onChange }: Props) {
  if (!dangers.length) return null;
  return (
    <div className="stack" role="group" aria-label="Dangers">
      <div>
        <h3>Dangers</h3>
        <p className="quiet small">These disclose more than the promises state. Repair each, or tick those that you accept.</p>
      </div>
      {dangers.map((danger) => (
        <Danger
          key={danger.name}
          candidate={candidate}
          danger={danger}
          isAccepted={accepted.includes(danger.name)}
          onAccept={(on) => onChange(on ? [...accepted, danger.name] : accepted.filter((name) => name !== danger.name))}
        />
      ))}
    </div>
  );
}

interface DangerProps {
  candidate: string;
  danger: DangerView;
  isAccepted: boolean;
  onAccept: (on: boolean) => void;
}

function Danger({ candidate, danger, isAccepted, onAccept }: DangerProps) {
  const { ask } = useStudio();
  const job = useJob<Costs>();
  const title = sentence(danger.title);
  const find = (): void => job.start(() => ask("POST /api/sessions/{session}/repairs", { body: { candidate, danger: danger.name } }));
  return (
    <div className="stack-s">
      <Checkbox isSelected={isAccepted} onChange={onAccept} hint={sentence(danger.sentence)}>
        Accept: {title}
      </Checkbox>
      <Messages tone="bad" texts={[job.error]} />
      {job.running && job.view ? (
        <>
          <Progress label={job.view.doing || "Looking for repairs"} share={job.view.share} />
          <Button size="s" icon="stop" onPress={job.cancel} label="Cancel" />
        </>
      ) : job.answer ? (
        <CostList label={`Repairs of ${title}`} costs={job.answer.costs} repairs />
      ) : (
        <Button
          size="s"
          icon="wand"
          aria-label={`Show repairs and what they cost: ${title}`}
          onPress={find}
          label="Show repairs and what they cost"
        />
      )}
    </div>
  );
}
