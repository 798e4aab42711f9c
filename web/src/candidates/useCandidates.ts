import { useMemo } from "react";
import type { CandidateColumns } from "../api/types";
import { useLoaded } from "../api/useLoaded";
import { useStudio } from "../studio";

export interface Candidates {
  columns: CandidateColumns | null;
  positionOf: ReadonlyMap<string, number>;
  error: string | null;
  reload: () => void;
}

const WHILE_RUNNING = 1000;

/** The candidates of a run, or of all runs; fetched again while a run is going. */
export function useCandidates(run?: string): Candidates {
  const { session, ask } = useStudio();
  const runs = session.runs.filter(({ id }) => run === undefined || id === run);
  const isRunning = runs.some(({ state }) => state === "running");
  const states = runs.map(({ id, state }) => `${id}:${state}`).join();
  const loaded = useLoaded<CandidateColumns>(
    runs.length ? `${session.id} ${states}` : null,
    (signal) => ask("GET /api/sessions/{session}/candidates", { query: { run: run ?? "" } }, signal),
    () => (isRunning ? WHILE_RUNNING : null),
  );
  const { choose, measures } = session.document;
  const columns = useMemo(() => loaded.data && ordered(loaded.data, [choose, ...measures]), [loaded.data, choose, measures]);
  const positionOf = useMemo(() => new Map(columns?.id.map((id, position) => [id, position])), [columns]);
  return { columns, positionOf, error: loaded.error, reload: loaded.reload };
}

/** The measures asked for come first, then k, loss and risk, then the others. */
function ordered(columns: CandidateColumns, first: readonly string[]): CandidateColumns {
  const names = new Set([...first, "k", "loss", "average-risk", ...Object.keys(columns.measures)]);
  const measures = [...names].flatMap((name) => (columns.measures[name] ? [[name, columns.measures[name]] as const] : []));
  return { ...columns, measures: Object.fromEntries(measures) };
}
