import { Button, EmptyState, Page, Problems, Section } from "../../components";
import { useStudio } from "../../studio";
import { Methods } from "./Methods";
import { Runs } from "./Runs";
import { Settings } from "./Settings";

/** Methods search for releases that keep the promises; a run is kept until it is deleted. */
export default function Search() {
  const { session, change } = useStudio();
  const { methods } = session.document;
  const blocked = session.problems.some((problem) => problem.blocks);
  return (
    <Page
      title="Search"
      lead="Methods search for releases that keep every promise. Run several and compare them under Explore."
      action={
        <Button
          variant="primary"
          icon="play"
          isDisabled={blocked}
          label={methods.length > 1 ? `Run ${methods.length} methods` : "Run"}
          onPress={() => void change("POST /api/sessions/{session}/runs", { body: {} })}
        />
      }>
      <Problems where={["source", "roles", "hierarchy", "guards", "methods"]} blocking most={4} />
      {session.runs.length > 0 && (
        <Section title="Runs" hint="Runs continue in the background when you leave this page.">
          <Runs runs={session.runs} />
        </Section>
      )}
      <div className="split">
        <Section title="Methods" hint="Select the methods to run.">
          <Methods />
        </Section>
        <Settings />
      </div>
      {session.runs.length === 0 && (
        <EmptyState icon="play" title="No runs yet" text="Press Run. Releases that keep the promises appear here as they are found." />
      )}
    </Page>
  );
}
