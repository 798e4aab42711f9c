import { useState } from "react";
import { useJob } from "../../candidates/useJob";
import { Button } from "../../components/Button";
import { Checkbox } from "../../components/Checkbox";
import { Dialog } from "../../components/Dialog";
import { Notice } from "../../components/Notice";
import { Progress } from "../../components/Progress";
import { useStudio } from "../../studio/context";

/** Further measures of all candidates; those that train models take a while. */
export function MoreMeasures({ present, onMeasured }: { present: readonly string[]; onMeasured: () => void }) {
  const { catalog, session, ask } = useStudio();
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const job = useJob(() => {
    setOpen(false);
    setWanted(new Set());
    onMeasured();
  });
  const decided = Object.values(session.document.roles).some((roles) => roles.includes("decision"));
  const others = catalog.measures.filter((measure) => !present.includes(measure.name) && (decided || !measure.needs_decision));
  const measure = (): void =>
    job.start(() => ask("POST /api/sessions/{session}/measures", { body: { measures: [...wanted], runs: [] } }));
  return (
    <>
      <Button icon="plus" onPress={() => setOpen(true)} isDisabled={!others.length}>More measures</Button>
      <Dialog title="More measures" isOpen={open} onClose={() => setOpen(false)}>
        <p className="quiet">They are computed for every candidate and can then be used as axes, filters and columns.</p>
        <div className="stack-s" role="group" aria-label="Measures">
          {others.map(({ name, meaning, cheap }) => (
            <Checkbox
              key={name}
              isSelected={wanted.has(name)}
              onChange={(on) => setWanted((before) => new Set(on ? [...before, name] : [...before].filter((other) => other !== name)))}
            >
              <strong>{name}</strong> <span className="quiet small">{meaning}{cheap ? "" : " (slow)"}</span>
            </Checkbox>
          ))}
        </div>
        {job.error && <Notice tone="bad">{job.error}</Notice>}
        {job.running && job.view && <Progress label={job.view.doing || "Measuring"} share={job.view.share} />}
        <div className="row dialog-actions">
          {job.running ? <Button onPress={job.cancel}>Stop</Button> : <Button onPress={() => setOpen(false)}>Cancel</Button>}
          <Button variant="primary" isDisabled={!wanted.size || job.running} onPress={measure}>Measure</Button>
        </div>
      </Dialog>
    </>
  );
}
