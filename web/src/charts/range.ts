/** The values from one to another on an axis. */
export type Range = readonly [low: number, high: number];

const NARROWEST = 0.01;

/** `range` with its width multiplied by `times`, `around` at the same place on the screen, and clipped to `limits`. */
export function zoomed(range: Range, times: number, around: number, limits: Range): Range {
  const [widest, now] = [limits[1] - limits[0], range[1] - range[0]];
  const width = Math.min(widest, Math.max(widest * NARROWEST, now * times));
  const share = now > 0 ? Math.min(1, Math.max(0, (around - range[0]) / now)) : 0.5;
  const low = Math.min(limits[1] - width, Math.max(limits[0], around - width * share));
  return [low, low + width];
}

/** The minimum and maximum of some values; null if there are none. */
export function extent(values: ArrayLike<number | null>, positions: readonly number[]): [number, number] | null {
  let [low, high] = [Infinity, -Infinity];
  for (const position of positions) {
    const value = values[position];
    if (value == null || !Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}
