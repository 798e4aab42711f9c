import { useMemo, useState } from "react";
import { NO_FILTERS, filtered } from "../../candidates/filters";
import { type Candidates, useCandidates } from "../../candidates/useCandidates";
import type { CandidateColumns } from "../../api/types";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Loading } from "../../components/Loading";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { Section } from "../../components/Section";
import { go, href } from "../../router";
import { useStudio } from "../../studio/context";
import { plural } from "../../words";
import "../../styles/charts.css";
import { CandidateTable } from "./CandidateTable";
import { Clipboard } from "./Clipboard";
import { FilterBar } from "./FilterBar";
import { FrontierPlot } from "./FrontierPlot";
import { LatticePlot } from "./LatticePlot";
import { MoreMeasures } from "./MoreMeasures";
import { ParallelPlot } from "./ParallelPlot";
import { SelectionBar } from "./SelectionBar";

const LEAD = "Every candidate keeps its run's promises. Pick the one that costs least of what matters to you.";

export default function Explore() {
  const { session } = useStudio();
  const candidates = useCandidates();
  const running = session.runs.some((run) => run.state === "running");
  const { columns } = candidates;
  if (columns?.id.length) return <Explored candidates={candidates} columns={columns} />;
  return (
    <Page title="Explore" lead={LEAD}>
      {candidates.error && <Notice tone="bad">{candidates.error}</Notice>}
      {session.runs.length && !columns && !candidates.error ? (
        <Loading label="Loading the candidates" />
      ) : (
        <EmptyState
          title={running ? "Nothing found yet" : "No candidates yet"}
          text={
            running
              ? "The search is on: candidates appear here as they are found."
              : "Run one or more methods: every candidate they find appears here as a point."
          }
          action={
            <Button variant="primary" onPress={() => go(href(session.id, "search"))}>
              Go to Search
            </Button>
          }
        />
      )}
    </Page>
  );
}

/** One set of filters and one selection for all four views. */
function Explored({ candidates, columns }: { candidates: Candidates; columns: CandidateColumns }) {
  const { session } = useStudio();
  const [filters, setFilters] = useState(NO_FILTERS);
  const positions = useMemo(() => filtered(columns, filters, session.runs), [columns, filters, session.runs]);
  const shared = { columns, positions, positionOf: candidates.positionOf };
  const shown = positions.length < columns.id.length ? ` (${plural(positions.length, "shown", "shown")})` : "";
  return (
    <Page
      title="Explore"
      lead={`${plural(columns.id.length, "candidate")}${shown}. ${LEAD}`}
      action={<MoreMeasures present={Object.keys(columns.measures)} onMeasured={candidates.reload} />}
    >
      {candidates.error && <Notice tone="bad">{candidates.error}</Notice>}
      <FilterBar columns={columns} filters={filters} onChange={setFilters} />
      <div className="explore-grid">
        <FrontierPlot {...shared} />
        <LatticePlot {...shared} />
      </div>
      <ParallelPlot {...shared} filters={filters} onChange={setFilters} />
      <Section title="Table" hint="Sort by any column; a click or Enter selects, everywhere.">
        <CandidateTable {...shared} />
      </Section>
      <Clipboard columns={columns} positionOf={candidates.positionOf} />
      <SelectionBar columns={columns} positionOf={candidates.positionOf} />
    </Page>
  );
}
