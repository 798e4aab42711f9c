import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { Problems } from "../../components/Problems";
import { Section } from "../../components/Section";
import { useStudio } from "../../studio/context";
import { Methods } from "./Methods";
import { Runs } from "./Runs";
import { Settings } from "./Settings";

/** Methods look for releases that keep the promises; every run is kept until it is deleted. */
export default function Search() {
  const { session, change } = useStudio();
  const { methods } = session.document;
  const blocked = session.problems.filter((problem) => problem.blocks).length > 0;
  return (
    <Page
      title="Search"
      lead="Methods look for releases that keep every promise. Run several: they are compared under Explore."
      action={
        <Button variant="primary" icon="play" isDisabled={blocked} onPress={() => void change("POST /api/sessions/{session}/runs", { body: {} })}>
          {methods.length > 1 ? `Run ${methods.length} methods` : "Run"}
        </Button>
      }
    >
      <Problems where={["source", "roles", "hierarchy", "guards", "methods"]} blocking />
      {session.runs.length > 0 && (
        <Section title="Runs" hint="They go on in the background, also when you leave this page.">
          <Runs runs={session.runs} />
        </Section>
      )}
      <div className="split">
        <Section title="Methods" hint="Tick those that shall try.">
          <Methods />
        </Section>
        <Settings />
      </div>
      {session.runs.length === 0 && (
        <EmptyState icon="play" title="Nothing has been tried yet" text="Press Run. Releases that keep the promises appear here while the methods work." />
      )}
    </Page>
  );
}
