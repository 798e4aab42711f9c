import type { Costs } from "../../api/types";
import { CostList } from "../../candidates/Costs";
import { Button, Messages, Progress, Section } from "../../components";
import { useJob, useStudio } from "../../studio";

/** What the next stricter promises would cost. */
export function PromiseCosts() {
  const { ask } = useStudio();
  const job = useJob<Costs>();
  return (
    <Section
      title="What would one more promise cost?"
      hint="The best release is searched again with each of a few stricter promises, and its loss compared with that of today."
      aside={
        job.running ? (
          <Button size="s" icon="stop" onPress={job.cancel} label="Cancel" />
        ) : (
          <Button
            size="s"
            icon="play"
            onPress={() => job.start(() => ask("POST /api/sessions/{session}/promise-costs", { body: {} }))}
            label="Compute the costs"
          />
        )
      }>
      <Messages tone="bad" texts={[job.error]} />
      {job.running && job.view && <Progress label={job.view.doing || "Searching"} share={job.view.share} />}
      {!job.running && job.answer && <CostList label="Costs of one more promise" costs={job.answer.costs} />}
    </Section>
  );
}
