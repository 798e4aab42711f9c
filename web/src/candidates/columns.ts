import type { CandidateColumns } from "../api/types";

/** What every view of the candidates gets. */
export interface ViewProps {
  columns: CandidateColumns;
  /** Positions of the candidates that pass the filters. */
  positions: readonly number[];
  positionOf: ReadonlyMap<string, number>;
}

/** The label of a candidate, first what tells it apart: "r1-15 · Every generalization (Incognito)". */
export function nameOf(columns: CandidateColumns, position: number): string {
  return `${columns.id[position] ?? ""} · ${columns.methods[columns.method[position] ?? 0] ?? ""}`;
}

/** Positions of candidates by their ids, without those that no longer exist. */
export function positionsOf(ids: readonly string[], positionOf: ReadonlyMap<string, number>): Set<number> {
  return new Set(ids.map((id) => positionOf.get(id)).filter((position) => position !== undefined));
}

/** The first few measures of a candidate with their values. */
export function mainMeasures(columns: CandidateColumns, position: number): (readonly [name: string, value: number | null])[] {
  return Object.entries(columns.measures)
    .slice(0, 3)
    .map(([name, values]) => [name, values[position] ?? null] as const);
}
