/** The part of an axis in view, in percent of the whole. */
export type Part = readonly [start: number, end: number];

const SMALLEST = 1;

/** A part so many times as wide; the place at `centre` (from 0 to 1) stays where it is, as far as the ends allow. */
export function narrowed([start, end]: Part, times: number, centre: number): Part {
  const width = Math.min(100, Math.max(SMALLEST, (end - start) * times));
  const at = start + (end - start) * centre;
  const from = Math.min(100 - width, Math.max(0, at - width * centre));
  return [from, from + width];
}
