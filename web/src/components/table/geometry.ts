/**
 * The geometry of rows in a scrolling box. Chromium limits the height of an element to 33,554,428 pixels, so above
 * MAX_HEIGHT the scroll bar is scaled: one of its pixels stands for several of the table.
 */
export const MAX_HEIGHT = 16_000_000;

export interface Geometry {
  /** Height of the scrolled element. */
  height: number;
  /** Pixels of the table per pixel of the scroll bar; 1 for all but very long tables. */
  scale: number;
  /** The maximum offset into the table. */
  maxOffset: number;
}

export function geometry(rows: number, rowHeight: number, viewport: number): Geometry {
  const total = rows * rowHeight;
  const height = Math.min(total, MAX_HEIGHT);
  const maxOffset = Math.max(0, total - viewport);
  const room = Math.max(1, height - viewport);
  return { height, scale: total > height ? maxOffset / room : 1, maxOffset };
}

/** The first row to render and the one after the last, with a few more on either side. */
export function rowsInView(offset: number, rowHeight: number, viewport: number, rows: number, spare = 6): [number, number] {
  const first = Math.max(0, Math.floor(offset / rowHeight) - spare);
  const last = Math.min(rows, Math.ceil((offset + viewport) / rowHeight) + spare);
  return [Math.min(first, last), last];
}

/** The offset that brings a row into view with the least scrolling. */
export function offsetShowing(row: number, offset: number, rowHeight: number, viewport: number): number {
  const top = row * rowHeight;
  if (top < offset) return top;
  return top + rowHeight > offset + viewport ? top + rowHeight - viewport : offset;
}
