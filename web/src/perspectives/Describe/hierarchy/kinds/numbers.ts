import type { ColumnFacts } from "../../../../api/types";

/** "10, 20" as numbers; null where something is none. */
export function listed(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const numbers = parts.map(Number);
  return numbers.every(Number.isFinite) ? numbers : null;
}

/** Edges from one number to another in steps; not more than anybody would look at. */
export function edges(from: number, to: number, step: number): number[] | null {
  if (!(step > 0) || !(to > from)) return null;
  const many = Math.ceil((to - from) / step - 1e-9);
  if (many > 5000) return null;
  const digits = Math.max(0, ...[from, step].map((n) => (String(n).split(".")[1] ?? "").length));
  return Array.from({ length: many + 1 }, (_, i) => Number((from + i * step).toFixed(digits)));
}

/** Smallest and largest value of a column of numbers; any other starts with a hundred. */
export function span({ least, most }: ColumnFacts): [number, number] {
  return typeof least === "number" && typeof most === "number" ? [least, most] : [0, 100];
}

/** Where beginnings of codes might end: at three quarters, a half and a quarter of the longest. */
export function falling(longest: number): number[] {
  return [...new Set([0.75, 0.5, 0.25].map((share) => Math.max(1, Math.ceil(longest * share))))];
}

/** The so many values with most rows, a list for each number; null unless the numbers are whole and fall. */
export function commonest(values: readonly { label: string; rows: number }[], kept: readonly number[]): string[][] | null {
  const fall = kept.every((n, i) => Number.isInteger(n) && n >= 1 && n <= values.length && (i === 0 || n < kept[i - 1]!));
  if (!kept.length || !fall) return null;
  const order = [...values].sort((a, b) => b.rows - a.rows);
  return kept.map((many) => order.slice(0, many).map(({ label }) => label));
}

/** A round step that cuts a span into about so many pieces. */
export function roundStep(span: number, pieces: number): number {
  const raw = span / pieces;
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1) * power;
}
