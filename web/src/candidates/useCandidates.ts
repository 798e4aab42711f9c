// All candidates of all runs; while a run is on, they are fetched again.
import { useMemo } from "react";
import { get } from "../api/client";
import type { CandidateColumns, Session } from "../api/types";
import { useLoaded } from "../api/useLoaded";

export interface Candidates {
  columns: CandidateColumns | null;
  positionOf: ReadonlyMap<string, number>;
  error: string | null;
  reload: () => void;
}

const WHILE_RUNNING = 1000;

export function useCandidates(session: Session): Candidates {
  const running = session.runs.some((run) => run.state === "running");
  const known = session.runs.map((run) => `${run.id}:${run.state}`).join();
  const loaded = useLoaded<CandidateColumns>(
    session.runs.length ? `${session.id} ${known}` : null,
    (signal) => get(`/api/sessions/${session.id}/candidates`, signal),
    () => (running ? WHILE_RUNNING : null),
  );
  const columns = loaded.data;
  const positionOf = useMemo(() => new Map(columns?.id.map((id, position) => [id, position])), [columns]);
  return { columns, positionOf, error: loaded.error, reload: loaded.reload };
}
