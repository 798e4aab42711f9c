// Which of the shown points no other beats in the two measures at hand. It is here, not on the server, because filters
// and axes change it while one looks.

export type Better = "lower" | "higher";

export function frontier(
  positions: readonly number[],
  x: ArrayLike<number | null>,
  y: ArrayLike<number | null>,
  better: readonly [Better, Better],
): number[] {
  const cost = (values: ArrayLike<number | null>, way: Better, position: number): number => {
    const value = values[position];
    return value == null || Number.isNaN(value) ? Infinity : way === "lower" ? value : -value;
  };
  const points = positions
    .map((position) => ({ position, a: cost(x, better[0], position), b: cost(y, better[1], position) }))
    .filter(({ a, b }) => a < Infinity && b < Infinity)
    .sort((one, other) => one.a - other.a || one.b - other.b);
  const kept: number[] = [];
  let best = Infinity;
  for (const point of points) {
    if (point.b < best) {
      kept.push(point.position);
      best = point.b;
    }
  }
  return kept;
}
