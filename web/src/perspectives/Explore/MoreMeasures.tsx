import { useState } from "react";
import { Button, Checkboxes, FormDialog, Messages, Progress } from "../../components";
import { useJob, useStudio } from "../../studio";

/** Computes further measures of all candidates; those that train models take a while. */
export function MoreMeasures({ present, onMeasured }: { present: readonly string[]; onMeasured: () => void }) {
  const { catalog, session, ask } = useStudio();
  const [isOpen, setOpen] = useState(false);
  const [names, setNames] = useState<string[]>([]);
  const job = useJob<boolean>(() => {
    setOpen(false);
    setNames([]);
    onMeasured();
  });
  const hasDecision = Object.values(session.document.roles).some((roles) => roles.includes("decision"));
  const hasPopulation =
    session.document.population !== null || Object.values(session.document.roles).some((roles) => roles.includes("weight"));
  const hasHousehold = Object.values(session.document.roles).some((roles) => roles.includes("household"));
  const others = catalog.measures.filter(
    (measure) =>
      !present.includes(measure.name) &&
      (hasDecision || !measure.needs_decision) &&
      (hasPopulation || !measure.needs_population) &&
      (hasHousehold || !measure.needs_household),
  );
  return (
    <>
      <Button icon="plus" onPress={() => setOpen(true)} isDisabled={!others.length} label="More measures" />
      <FormDialog
        title="More measures"
        action="Compute"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onSubmit={() => job.start(() => ask("POST /api/sessions/{session}/measures", { body: { measures: names, runs: [] } }))}
        isDisabled={!names.length || job.running}
        cancel={job.running && <Button onPress={job.cancel} label="Stop" />}>
        <Checkboxes
          label="Measures"
          hint="They are computed for every candidate and can then be used as axes, filters and columns."
          isList
          value={names}
          onChange={setNames}
          options={others.map(({ name, title, meaning, cheap }) => ({
            id: name,
            label: title,
            hint: cheap ? meaning : `${meaning} (slow)`,
          }))}
        />
        <Messages tone="bad" texts={[job.error]} />
        {job.running && job.view && <Progress label={job.view.doing || "Computing"} share={job.view.share} />}
      </FormDialog>
    </>
  );
}
