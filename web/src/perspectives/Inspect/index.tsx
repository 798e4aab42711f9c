import { useEffect } from "react";
import type { Inspected, ReportAnswer } from "../../api/types";
import { useLoaded } from "../../api/useLoaded";
import { useCandidates } from "../../candidates/useCandidates";
import { useJob } from "../../candidates/useJob";
import { useSelection } from "../../candidates/selection";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Loading } from "../../components/Loading";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { Select } from "../../components/Select";
import { Tabs } from "../../components/Tabs";
import { go, href, useRoute } from "../../router";
import { useStudio } from "../../studio/context";
import "../../styles/charts.css";
import { Attacks } from "./Attacks";
import { Columns } from "./Columns";
import { Overview } from "./Overview";
import type { Report } from "./report";
import { Risk } from "./Risk";
import { Rows } from "./Rows";
import { Rules } from "./Rules";
import { Usefulness } from "./Usefulness";

const LEAD = "What a release of this candidate would tell, cost and promise. The figures are those of its report.";

export default function Inspect() {
  const { session } = useStudio();
  const { rest } = useRoute();
  const { ids } = useSelection(session.id);
  const candidate = rest[0] ?? ids.at(-1) ?? session.document.chosen ?? session.document.clipboard[0]?.candidate;
  if (candidate) return <Inspection key={candidate} candidate={candidate} tab={rest[1] ?? "overview"} />;
  return (
    <Page title="Inspect" lead={LEAD}>
      <EmptyState
        title="No candidate selected"
        text="Select a candidate in Explore, then come back to see rows, risks and costs."
        action={<Button variant="primary" onPress={() => go(href(session.id, "explore"))}>Go to Explore</Button>}
      />
    </Page>
  );
}

function Inspection({ candidate, tab }: { candidate: string; tab: string }) {
  const { session, ask, change } = useStudio();
  const { data, error } = useLoaded<Inspected>(`${session.id} ${candidate}`, (signal) =>
    ask("GET /api/sessions/{session}/inspect", { query: { candidate } }, signal),
  );
  const job = useJob<ReportAnswer>();
  const { start } = job;
  useEffect(
    () => start(() => ask("POST /api/sessions/{session}/inspect/report", { body: { candidate, utility: false } })),
    // asked once for each candidate
    [candidate, start],
  );
  const report = (job.answer?.report as Report | undefined) ?? null;
  const waiting = job.error ? <Notice tone="bad">{job.error}</Notice> : <Loading label="Working out the report" />;
  const release = (): void =>
    void change("PUT /api/sessions/{session}/chosen", { body: { candidate } }).then((done) => done && go(href(session.id, "release")));
  if (!data) {
    return (
      <Page title="Inspect" lead={LEAD}>
        <Which candidate={candidate} />
        {error ? <Notice tone="bad">{error}</Notice> : <Loading label="Looking at the candidate" />}
      </Page>
    );
  }
  // what is published is what one wants to see; the others come after it
  const names = [...data.columns].sort((a, b) => Number(b.published) - Number(a.published)).map((column) => column.name);
  return (
    <Page title="Inspect" lead={LEAD} action={<Button variant="primary" onPress={release}>Release this</Button>}>
      <Which candidate={candidate} />
      <Tabs
        label="What to look at"
        value={tab}
        onChange={(id) => go(href(session.id, "inspect", candidate, id))}
        tabs={[
          { id: "overview", label: "Overview", content: <Overview inspected={data} report={report} /> },
          { id: "rows", label: "Rows", content: <Rows candidate={candidate} /> },
          { id: "columns", label: "Columns", content: <Columns candidate={candidate} names={names} /> },
          { id: "risk", label: "Risk", content: <Risk inspected={data} /> },
          { id: "rules", label: "Discrimination", content: report ? <Rules report={report} /> : waiting },
          { id: "use", label: "Usefulness", content: <Usefulness candidate={candidate} /> },
          { id: "attacks", label: "Attacks", content: report ? <Attacks report={report} /> : waiting },
        ]}
      />
    </Page>
  );
}

/** The candidate at hand; others that are selected or kept can be taken instead. */
function Which({ candidate }: { candidate: string }) {
  const { session } = useStudio();
  const { columns, positionOf } = useCandidates();
  const { ids } = useSelection(session.id);
  const kept = session.document.clipboard.map((clip) => clip.candidate);
  const known = [...new Set([candidate, ...ids, session.document.chosen, ...kept])].filter((id) => id !== null);
  const options = known.map((id) => {
    const position = positionOf.get(id);
    const method = columns && position !== undefined ? `${columns.methods[columns.method[position] ?? 0]} ` : "";
    return { id, label: `${method}${id}` };
  });
  return (
    <div className="row">
      <Select label="Candidate" options={options} value={candidate} onChange={(id) => go(href(session.id, "inspect", id))} />
    </div>
  );
}
