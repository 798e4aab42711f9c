// The points that no other dominates in two measures. It is computed here, not on the server, because every change of a
// filter or axis changes it.

export type Better = "lower" | "higher";

export function frontierOf(
  positions: readonly number[],
  x: ArrayLike<number | null>,
  y: ArrayLike<number | null>,
  better: readonly [Better, Better],
): number[] {
  const cost = (values: ArrayLike<number | null>, direction: Better, position: number): number => {
    const value = values[position];
    return value == null || Number.isNaN(value) ? Infinity : direction === "lower" ? value : -value;
  };
  const points = positions
    .map((position) => ({ position, a: cost(x, better[0], position), b: cost(y, better[1], position) }))
    .filter(({ a, b }) => a < Infinity && b < Infinity)
    .toSorted((p, q) => p.a - q.a || p.b - q.b);
  const frontier: number[] = [];
  let best = Infinity;
  for (const point of points) {
    if (point.b < best) {
      frontier.push(point.position);
      best = point.b;
    }
  }
  return frontier;
}
