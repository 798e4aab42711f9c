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

/** A round step that cuts a span into about so many pieces. */
export function roundStep(span: number, pieces: number): number {
  const raw = span / pieces;
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1) * power;
}
