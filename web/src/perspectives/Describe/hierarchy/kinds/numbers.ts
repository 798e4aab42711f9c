import type { ColumnFacts } from "../../../../api/types";

const MAX_EDGES = 5000;

/** Edges from one number to another in equal steps; null if the step is too small or not positive. */
export function edges(from: number, to: number, step: number): number[] | null {
  if (!(step > 0) || !(to > from)) return null;
  const steps = Math.ceil((to - from) / step - 1e-9);
  if (steps > MAX_EDGES) return null;
  const digits = Math.max(0, ...[from, step].map((n) => (String(n).split(".")[1] ?? "").length));
  return Array.from({ length: steps + 1 }, (_, i) => Number((from + i * step).toFixed(digits)));
}

/** The minimum and maximum of a numeric column; 0 and 100 for any other. */
export function extremes({ minimum, maximum }: ColumnFacts): [number, number] {
  return typeof minimum === "number" && typeof maximum === "number" ? [minimum, maximum] : [0, 100];
}

/** Lengths of prefixes: three quarters, a half and a quarter of the longest code. */
export function prefixLengths(longest: number): number[] {
  return [...new Set([0.75, 0.5, 0.25].map((share) => Math.max(1, Math.ceil(longest * share))))];
}

/** Whether these are strictly decreasing integers from `max` at most to 1 at least, and not none. */
export function isDecreasing(numbers: readonly number[], max: number): boolean {
  return numbers.length > 0 && numbers.every((n, i) => Number.isInteger(n) && n >= 1 && n <= max && (i === 0 || n < numbers[i - 1]!));
}

/** The numbers and ISO dates of a list with commas; null if something else is in it. */
export function boundsIn(text: string): (number | string)[] | null {
  const entries = text.split(",").map((entry) => entry.trim());
  const bounds = entries.filter(Boolean).map((entry) => (/^\d{4}-\d{2}-\d{2}$/.test(entry) ? entry : Number(entry)));
  return bounds.some((bound) => typeof bound === "number" && !Number.isFinite(bound)) ? null : bounds;
}

/** The values with the most rows, a list for each of `numbers`; null unless these are decreasing integers. */
export function mostFrequent(values: readonly { label: string; rows: number }[], numbers: readonly number[]): string[][] | null {
  if (!isDecreasing(numbers, values.length)) return null;
  const labels = values.toSorted((a, b) => b.rows - a.rows).map(({ label }) => label);
  return numbers.map((n) => labels.slice(0, n));
}

/** A round step that divides a range into about so many pieces. */
export function roundStep(range: number, pieces: number): number {
  const step = range / pieces;
  const power = 10 ** Math.floor(Math.log10(step));
  const lead = step / power;
  return (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1) * power;
}
