import type { ReleaseAnswer } from "../../api/types";
import { EmptyPage, Page, Pending } from "../../components";
import { href } from "../../router";
import { useAnswer, useJob, useStudio } from "../../studio";
import { ChosenCandidate } from "./ChosenCandidate";
import { PlanCard } from "./PlanCard";
import { Publish, type Target } from "./Publish";
import { Earlier, Outcome } from "./Releases";
import { Summary } from "./Summary";

/** The last step: the promises, the losses, and the files. */
export default function Release() {
  const { session, ask } = useStudio();
  const { chosen } = session.document;
  const view = useAnswer("GET /api/sessions/{session}/inspect", chosen === null ? null : { query: { candidate: chosen } });
  const releases = useAnswer("GET /api/sessions/{session}/releases", {});
  const job = useJob<ReleaseAnswer>(releases.reload);
  const [last, ...earlier] = releases.data ?? [];
  const answer = [job.answer, last].find((release) => release && release.candidate === chosen) ?? null;

  if (!session.runs.length && !chosen)
    return (
      <EmptyPage
        page="Release"
        lead="The promises, and the files."
        icon="shield"
        title="Nothing to release yet"
        text="Run a method first. It finds releases that keep your promises, and one of them is published here."
        action={["Search", href(session.id, "search")]}
      />
    );

  const publish = (target: Target): void =>
    job.start(() => ask("POST /api/sessions/{session}/release", { body: { candidate: chosen!, ...target } }));

  return (
    <Page title="Release" lead="Check the promises, then write the files. They are read again to verify them.">
      <ChosenCandidate />
      {chosen && <Pending of={view} label="Loading the candidate" />}
      {chosen && view.data && view.data.candidate === chosen && (
        <div className="split">
          <Summary view={view.data} />
          <Publish answer={answer} job={job} onPublish={publish} />
        </div>
      )}
      <div aria-live="polite">{last && !job.running && <Outcome answer={last} />}</div>
      {earlier.length > 0 && <Earlier releases={earlier} />}
      {chosen && <PlanCard candidate={chosen} />}
    </Page>
  );
}
