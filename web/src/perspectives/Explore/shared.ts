import type { CandidateColumns } from "../../api/types";

/** What every view of the candidates gets. */
export interface Shared {
  columns: CandidateColumns;
  /** Places of the candidates that pass the filters. */
  positions: readonly number[];
  positionOf: ReadonlyMap<string, number>;
}

/** A candidate as it is called: "incognito 1.15". */
export function nameOf(columns: CandidateColumns, position: number): string {
  const method = columns.methods[columns.method[position] ?? 0] ?? "";
  return `${method} ${columns.id[position] ?? ""}`;
}

/** Places of candidates by their ids; those that are gone are left out. */
export function placesOf(ids: readonly string[], positionOf: ReadonlyMap<string, number>): Set<number> {
  return new Set(ids.map((id) => positionOf.get(id)).filter((position) => position !== undefined));
}
