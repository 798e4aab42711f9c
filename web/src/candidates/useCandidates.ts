// All candidates of all runs; while a run is on, they are fetched again.
import { useMemo } from "react";
import type { CandidateColumns } from "../api/types";
import { useLoaded } from "../api/useLoaded";
import { useStudio } from "../studio/context";

export interface Candidates {
  columns: CandidateColumns | null;
  positionOf: ReadonlyMap<string, number>;
  error: string | null;
  reload: () => void;
}

const WHILE_RUNNING = 1000;

export function useCandidates(): Candidates {
  const { session, ask } = useStudio();
  const running = session.runs.some((run) => run.state === "running");
  const known = session.runs.map((run) => `${run.id}:${run.state}`).join();
  const loaded = useLoaded<CandidateColumns>(
    session.runs.length ? `${session.id} ${known}` : null,
    (signal) => ask("GET /api/sessions/{session}/candidates", {}, signal),
    () => (running ? WHILE_RUNNING : null),
  );
  const columns = useMemo(() => loaded.data && ordered(loaded.data, session.document.measures), [loaded.data, session.document.measures]);
  const positionOf = useMemo(() => new Map(columns?.id.map((id, position) => [id, position])), [columns]);
  return { columns, positionOf, error: loaded.error, reload: loaded.reload };
}

/** What was asked for comes first, then k and loss, then the others. */
function ordered(columns: CandidateColumns, asked: readonly string[]): CandidateColumns {
  const names = [...new Set([...asked, "k", "loss", "average-risk", ...Object.keys(columns.measures)])];
  const measures = Object.fromEntries(names.flatMap((name) => (columns.measures[name] ? [[name, columns.measures[name]]] : [])));
  return { ...columns, measures };
}
