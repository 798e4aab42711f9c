// Numbers as people read them: the same in every chart and table.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

export function shown(value: number | null | undefined): string {
  if (value == null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  return Number.isInteger(value) || Math.abs(value) >= 10_000 ? whole.format(value) : fine.format(value);
}

export function percent(share: number | null | undefined): string {
  if (share == null || Number.isNaN(share)) return "–";
  const value = share * 100;
  return `${new Intl.NumberFormat("en", { maximumFractionDigits: value < 1 ? 2 : 1 }).format(value)} %`;
}

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
