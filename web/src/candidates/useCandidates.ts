import { useMemo } from "react";
import type { CandidateColumns, Catalog } from "../api/types";
import { useLoaded } from "../api/useLoaded";
import { useStudio } from "../studio";
import { titled } from "../studio/StudioProvider";

export interface Candidates {
  columns: CandidateColumns | null;
  positionOf: ReadonlyMap<string, number>;
  error: string | null;
  reload: () => void;
}

const WHILE_RUNNING = 1000;

/** The candidates of a run, or of all runs; fetched again while a run is going. */
export function useCandidates(run?: string): Candidates {
  const { session, ask, catalog } = useStudio();
  const runs = session.runs.filter(({ id }) => run === undefined || id === run);
  const isRunning = runs.some(({ state }) => state === "running");
  const states = runs.map(({ id, state }) => `${id}:${state}`).join();
  const loaded = useLoaded<CandidateColumns>(
    runs.length ? `${session.id} ${states}` : null,
    (signal) => ask("GET /api/sessions/{session}/candidates", { query: { run: run ?? "" } }, signal),
    () => (isRunning ? WHILE_RUNNING : null),
  );
  const { choose, measures } = session.document;
  const columns = useMemo(
    () => loaded.data && ordered(withSlots(loaded.data, catalog.methods), [choose, ...measures]),
    [loaded.data, choose, measures, catalog],
  );
  const positionOf = useMemo(() => new Map(columns?.id.map((id, position) => [id, position])), [columns]);
  return { columns, positionOf, error: loaded.error, reload: loaded.reload };
}

/** The candidates with titles of methods. Each method has the same place, and so the same colour, in every session. */
export function withSlots(columns: CandidateColumns, known: Catalog["methods"]): CandidateColumns {
  const kinds = known.map(({ kind }) => kind);
  const others = columns.methods.filter((label) => !kinds.includes(label)).toSorted();
  const labels = [...kinds, ...others];
  const slots = columns.methods.map((label) => labels.indexOf(label));
  const falseValues = labels.map((label) => columns.false_values[columns.methods.indexOf(label)] ?? "");
  const methods = labels.map((label) => titled(label, known));
  return { ...columns, methods, false_values: falseValues, method: columns.method.map((own) => slots[own] ?? 0) };
}

/** The places of the methods that found something. */
export function usedMethods(columns: CandidateColumns): number[] {
  return [...new Set(columns.method)].toSorted((a, b) => a - b);
}

/** The measures asked for come first, then k, loss and risk, then the others. */
function ordered(columns: CandidateColumns, first: readonly string[]): CandidateColumns {
  const names = new Set([...first, "k", "loss", "average-risk", ...Object.keys(columns.measures)]);
  const measures = [...names].flatMap((name) => (columns.measures[name] ? [[name, columns.measures[name]] as const] : []));
  return { ...columns, measures: Object.fromEntries(measures) };
}
