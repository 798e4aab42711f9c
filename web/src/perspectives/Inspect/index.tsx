import { useEffect } from "react";
import type { ReportAnswer } from "../../api/types";
import { useLatest } from "../../api/useLatest";
import { CandidateSelect } from "../../candidates/CandidateSelect";
import { useSelection } from "../../candidates/selection";
import { useCandidateActions } from "../../candidates/useCandidateActions";
import { Button, EmptyPage, Page, Pending, Tabs } from "../../components";
import { go, href, useRoute } from "../../router";
import { useAnswer, useJob, useStudio } from "../../studio";
import { Attacks } from "./Attacks";
import { Columns } from "./Columns";
import { Overview } from "./Overview";
import { Risk } from "./Risk";
import { Rows } from "./Rows";
import { Rules } from "./Rules";
import { Usefulness } from "./Usefulness";

const LEAD = "What a release of this candidate would disclose, lose and promise. The figures are those of its report.";

export default function Inspect() {
  const { session } = useStudio();
  const { rest } = useRoute();
  const { ids } = useSelection(session.id);
  const candidate = rest[0] ?? ids.at(-1) ?? session.document.chosen ?? session.document.clipboard[0]?.candidate;
  if (candidate) return <Inspection key={candidate} candidate={candidate} tab={rest[1] ?? "overview"} />;
  return (
    <EmptyPage
      page="Inspect"
      lead={LEAD}
      title="No candidate selected"
      text="Select a candidate in Explore to see its rows, risks and losses."
      action={["Go to Explore", href(session.id, "explore")]}
    />
  );
}

function Inspection({ candidate, tab }: { candidate: string; tab: string }) {
  const { session, ask } = useStudio();
  const { release } = useCandidateActions();
  const inspected = useAnswer("GET /api/sessions/{session}/inspect", { query: { candidate } });
  const job = useJob<ReportAnswer>();
  const { start } = job;
  const latestAsk = useLatest(ask);
  useEffect(
    () => start(() => latestAsk.current("POST /api/sessions/{session}/inspect/report", { body: { candidate, utility: false } })),
    [candidate, start, latestAsk],
  );
  const report = job.answer?.report ?? null;
  const waiting = <Pending of={{ data: report, error: job.error }} label="Computing the report" />;
  const select = (
    <div className="row">
      <CandidateSelect label="Candidate" value={candidate} onChange={(id) => go(href(session.id, "inspect", id))} />
    </div>
  );
  const { data } = inspected;
  if (!data)
    return (
      <Page title="Inspect" lead={LEAD}>
        {select}
        <Pending of={inspected} label="Loading the candidate" />
      </Page>
    );
  // published columns first
  const names = data.columns.toSorted((a, b) => Number(b.distinct > 0) - Number(a.distinct > 0)).map((column) => column.name);
  return (
    <Page title="Inspect" lead={LEAD} action={<Button variant="primary" onPress={() => void release(candidate)} label="Release this" />}>
      {select}
      <Tabs
        label="Views of the candidate"
        value={tab}
        onChange={(id) => go(href(session.id, "inspect", candidate, id))}
        tabs={[
          { id: "overview", label: "Overview", content: <Overview inspected={data} report={report} /> },
          { id: "rows", label: "Rows", content: <Rows candidate={candidate} /> },
          { id: "columns", label: "Columns", content: <Columns candidate={candidate} names={names} /> },
          { id: "risk", label: "Risk", content: <Risk inspected={data} /> },
          { id: "rules", label: "Discrimination", content: report ? <Rules report={report} /> : waiting },
          { id: "use", label: "Usefulness", content: <Usefulness candidate={candidate} /> },
          {
            id: "attacks",
            label: "Attacks",
            content: job.answer ? <Attacks report={job.answer.report} withSource={job.answer.with_source} /> : waiting,
          },
        ]}
      />
    </Page>
  );
}
