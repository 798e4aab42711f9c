// Which candidates are visible.
import type { CandidateColumns, PartFacts, RunHead } from "../api/types";
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

export function filtered(columns: CandidateColumns, filters: Filters, runs: readonly RunHead[], known: readonly PartFacts[]): number[] {
  const shownRuns = columns.runs.map((id) => runPasses(id, filters, runs, known));
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

function runPasses(id: string, filters: Filters, runs: readonly RunHead[], known: readonly PartFacts[]): boolean {
  const run = runs.find((head) => head.id === id);
  if (filters.hiddenRuns.has(id)) return false;
  if (filters.feasible && run?.stale) return false;
  return filters.guard === null || (run?.guards.some((guard) => guardName(guard, known) === filters.guard) ?? false);
}

/** A guard with the settings that are not as usual: "k-anonymity, k 10". */
export function guardName(guard: Readonly<Record<string, unknown>>, known: readonly PartFacts[]): string {
  const part = known.find(({ kind }) => kind === guard.kind);
  const settings = (part?.fields ?? []).flatMap(({ name, label, options, default: usual }) => {
    const value = guard[name];
    if (value == null || JSON.stringify(value) === JSON.stringify(usual)) return [];
    return [`${label} ${typeof value === "string" ? (options?.[value] ?? value) : JSON.stringify(value)}`];
  });
  return [part?.title ?? String(guard.kind), ...settings].join(", ");
}
