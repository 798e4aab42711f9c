/**
 * Where rows lie in a scrolling box. Chromium caps an element at 33,554,428 pixels; above MAX_HEIGHT the scroll bar is
 * therefore scaled: one of its pixels stands for several of the table's.
 */
export const MAX_HEIGHT = 16_000_000;

export interface Geometry {
  /** Height of the element that is scrolled. */
  height: number;
  /** Pixels of the table per pixel of the scroll bar; 1 for all but very long tables. */
  scale: number;
  /** The furthest offset into the table. */
  furthest: number;
}

export function geometry(rows: number, rowHeight: number, viewport: number): Geometry {
  const total = rows * rowHeight;
  const height = Math.min(total, MAX_HEIGHT);
  const furthest = Math.max(0, total - viewport);
  const room = Math.max(1, height - viewport);
  return { height, scale: total > height ? furthest / room : 1, furthest };
}

/** First row to draw and the one after the last, with a few more on either side. */
export function rowsInView(offset: number, rowHeight: number, viewport: number, rows: number, spare = 6): [number, number] {
  const first = Math.max(0, Math.floor(offset / rowHeight) - spare);
  const last = Math.min(rows, Math.ceil((offset + viewport) / rowHeight) + spare);
  return [Math.min(first, last), last];
}

/** The offset that brings a row into view with the least movement. */
export function offsetShowing(row: number, offset: number, rowHeight: number, viewport: number): number {
  const top = row * rowHeight;
  if (top < offset) return top;
  return top + rowHeight > offset + viewport ? top + rowHeight - viewport : offset;
}
