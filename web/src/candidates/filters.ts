// Which candidates are visible.
import type { CandidateColumns, RunHead } from "../api/types";
import type { Ranges } from "../charts/Parallel";

export interface Filters {
  hiddenRuns: ReadonlySet<string>;
  hiddenMethods: ReadonlySet<string>;
  /** Only candidates of runs with this guard, in the words of `guardName`. */
  guard: string | null;
  /** Only candidates that keep the current promises, not those of runs with other guards or other data. */
  feasible: boolean;
  ranges: Ranges;
}

export const NO_FILTERS: Filters = { hiddenRuns: new Set(), hiddenMethods: new Set(), guard: null, feasible: false, ranges: {} };

export function filtered(columns: CandidateColumns, filters: Filters, runs: readonly RunHead[]): number[] {
  const shownRuns = columns.runs.map((id) => runPasses(id, filters, runs));
  const shownMethods = columns.methods.map((method) => !filters.hiddenMethods.has(method));
  const ranges = Object.entries(filters.ranges).flatMap(([name, [low, high]]) => {
    const values = columns.measures[name];
    return values ? [{ values, low, high }] : [];
  });
  const positions: number[] = [];
  for (let position = 0; position < columns.id.length; position++) {
    if (!shownRuns[columns.run[position] ?? 0] || !shownMethods[columns.method[position] ?? 0]) continue;
    const within = ranges.every(({ values, low, high }) => {
      const value = values[position];
      return value != null && value >= low && value <= high;
    });
    if (within) positions.push(position);
  }
  return positions;
}

function runPasses(id: string, filters: Filters, runs: readonly RunHead[]): boolean {
  const run = runs.find((head) => head.id === id);
  if (filters.hiddenRuns.has(id)) return false;
  if (filters.feasible && run?.stale) return false;
  return filters.guard === null || (run?.guards.some((guard) => guardName(guard) === filters.guard) ?? false);
}

/** A guard with its settings: "k-anonymity k 10, suppression 0.02". */
export function guardName(guard: Readonly<Record<string, unknown>>): string {
  const settings = Object.entries(guard)
    .filter(([name, value]) => name !== "kind" && value !== null && value !== 0 && !(Array.isArray(value) && !value.length))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [String(guard.kind), settings.join(", ")].filter(Boolean).join(" ");
}
