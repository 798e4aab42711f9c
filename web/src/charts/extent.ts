/** The least and greatest of some values; null where there is none. */
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
