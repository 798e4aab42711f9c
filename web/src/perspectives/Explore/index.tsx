import { useMemo, useState } from "react";
import { CandidateTable } from "../../candidates/CandidateTable";
import { filtered, NO_FILTERS } from "../../candidates/filters";
import { pick, pickAll, useSelection } from "../../candidates/selection";
import { type Candidates, useCandidates } from "../../candidates/useCandidates";
import type { CandidateColumns } from "../../api/types";
import { EmptyState, type Extend, Loading, Messages, Page, Section } from "../../components";
import { href } from "../../router";
import { useStudio } from "../../studio";
import { plural } from "../../words";
import { Clipboard } from "./Clipboard";
import { FilterBar } from "./FilterBar";
import { FrontierPlot } from "./FrontierPlot";
import { LatticePlot } from "./LatticePlot";
import { MoreMeasures } from "./MoreMeasures";
import { ParallelPlot } from "./ParallelPlot";
import { PromiseCosts } from "./PromiseCosts";
import { SelectionBar } from "./SelectionBar";

const LEAD = "Every candidate keeps the promises of its run. Select the one that loses least of what matters to you.";

export default function Explore() {
  const { session } = useStudio();
  const candidates = useCandidates();
  const running = session.runs.some((run) => run.state === "running");
  const { columns } = candidates;
  if (columns?.id.length) return <Explored candidates={candidates} columns={columns} />;
  return (
    <Page title="Explore" lead={LEAD}>
      <Messages tone="bad" texts={[candidates.error]} />
      {session.runs.length && !columns && !candidates.error ? (
        <Loading label="Loading the candidates" />
      ) : (
        <EmptyState
          title={running ? "Searching" : "No candidates yet"}
          text={
            running
              ? "Candidates appear here as they are found."
              : "Run one or more methods. Every candidate they find appears here as a point."
          }
          action={["Go to Search", href(session.id, "search")]}
        />
      )}
    </Page>
  );
}

/** Four views with the same filters and the same selection. */
function Explored({ candidates, columns }: { candidates: Candidates; columns: CandidateColumns }) {
  const { session, catalog } = useStudio();
  const { ids } = useSelection(session.id);
  const [filters, setFilters] = useState(NO_FILTERS);
  // Shift selects all rows from the last selected one, which stays last; Ctrl adds one
  const select = (id: string, extend: Extend, order: readonly string[]): void => {
    const [from, to] = [order.indexOf(ids.at(-1) ?? ""), order.indexOf(id)];
    if (extend !== "range" || from < 0) return pick(id, extend !== "only");
    const between = new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1));
    pickAll([...ids.filter((other) => !between.has(other)), ...(from < to ? [...between].toReversed() : between)]);
  };
  const positions = useMemo(() => filtered(columns, filters, session.runs, catalog.guards), [columns, filters, session.runs, catalog]);
  const shared = { columns, positions, positionOf: candidates.positionOf };
  const shown = positions.length < columns.id.length ? ` (${plural(positions.length, "shown", "shown")})` : "";
  return (
    <Page
      title="Explore"
      lead={`${plural(columns.id.length, "candidate")}${shown}. ${LEAD}`}
      action={<MoreMeasures present={Object.keys(columns.measures)} onMeasured={candidates.reload} />}>
      <Messages tone="bad" texts={[candidates.error]} />
      <FilterBar columns={columns} filters={filters} onChange={setFilters} />
      <div className="explore-grid">
        <FrontierPlot {...shared} />
        <LatticePlot {...shared} />
      </div>
      <ParallelPlot {...shared} filters={filters} onChange={setFilters} />
      <Section title="Table" hint="Sort by any column. A click or Enter selects a candidate in all views.">
        <CandidateTable
          label="Candidates"
          columns={columns}
          positions={positions}
          maxRows={10}
          selected={new Set(ids)}
          onSelect={select}
          revealed={ids.at(-1)}
        />
      </Section>
      <PromiseCosts />
      <Clipboard columns={columns} positionOf={candidates.positionOf} />
      <SelectionBar columns={columns} positionOf={candidates.positionOf} />
    </Page>
  );
}
