import { useState } from "react";
import { useLoaded } from "../../api/useLoaded";
import type { ReleaseAnswer } from "../../api/types";
import { EmptyState } from "../../components/EmptyState";
import { LinkButton } from "../../components/LinkButton";
import { Loading } from "../../components/Loading";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { href } from "../../router";
import { useStudio } from "../../studio/context";
import { useJob } from "../../studio/useJob";
import { ChosenCandidate } from "./ChosenCandidate";
import { Earlier } from "./Earlier";
import { Outcome } from "./Outcome";
import { PlanCard } from "./PlanCard";
import { Publish, type Wanted } from "./Publish";
import { Summary } from "./Summary";

/** The last step: what is promised, what it costs, and the files. */
export default function Release() {
  const { session, ask } = useStudio();
  const { chosen } = session.document;
  const [answer, setAnswer] = useState<ReleaseAnswer | null>(null);
  const view = useLoaded(chosen && `${chosen} ${session.id}`, (signal) => ask("GET /api/sessions/{session}/inspect", { query: { candidate: chosen! } }, signal));
  const made = useLoaded(session.id, (signal) => ask("GET /api/sessions/{session}/releases", {}, signal));
  const { job, running, start, cancel } = useJob((done) => {
    if (done.answer) setAnswer(done.answer as ReleaseAnswer);
    if (done.answer) made.reload();
  });
  const [last, ...earlier] = made.data?.releases ?? [];
  const told = [answer, last].find((each) => each && each.candidate === chosen) ?? null;

  if (!session.runs.length && !chosen)
    return (
      <Page title="Release" lead="What is promised, and the files.">
        <EmptyState
          icon="shield"
          title="Nothing to release yet"
          text="Run a method first. It proposes releases that keep your promises; one of them is published here."
          action={
            <LinkButton variant="primary" href={href(session.id, "search")}>
              Search
            </LinkButton>
          }
        />
      </Page>
    );

  const publish = (wanted: Wanted): void => {
    void start(() => ask("POST /api/sessions/{session}/release", { body: { candidate: chosen!, ...wanted } }));
  };

  return (
    <Page title="Release" lead="Check what is promised, then write the files. They are verified by reading them again.">
      <ChosenCandidate />
      {view.error && <Notice tone="bad">{view.error}</Notice>}
      {chosen && !view.data && !view.error && <Loading label="Looking at the candidate" />}
      {chosen && view.data && view.data.candidate === chosen && (
        <div className="split">
          <Summary view={view.data} />
          <Publish answer={told} running={running} job={job} onPublish={publish} onCancel={cancel} />
        </div>
      )}
      <div aria-live="polite">{last && !running && <Outcome answer={last} />}</div>
      {earlier.length > 0 && <Earlier releases={earlier} />}
      {chosen && <PlanCard candidate={chosen} />}
    </Page>
  );
}
