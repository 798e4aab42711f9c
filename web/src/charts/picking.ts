// Finds the point near a click, the points in a box, and the next point in the direction of an arrow key.

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export type Pixel = (position: number) => readonly [number, number] | null;

const REACH = 14;

/** The point nearest to a click within a finger's width; of equally near ones the last drawn. Null if there is none. */
export function nearest(positions: readonly number[], pixel: Pixel, x: number, y: number, reach = REACH): number | null {
  let [best, hit] = [reach * reach, null as number | null];
  for (const position of positions) {
    const at = pixel(position);
    if (!at) continue;
    const far = (at[0] - x) ** 2 + (at[1] - y) ** 2;
    if (far <= best) [best, hit] = [far, position];
  }
  return hit;
}

export function inside(positions: readonly number[], pixel: Pixel, box: Box): number[] {
  return positions.filter((position) => {
    const at = pixel(position);
    return at !== null && at[0] >= box.left && at[0] <= box.right && at[1] >= box.top && at[1] <= box.bottom;
  });
}

/** The nearest point in a direction, where distance across it counts double; null if there is none. */
export function nextAlong(positions: readonly number[], pixel: Pixel, from: number, direction: readonly [number, number]): number | null {
  const here = pixel(from);
  if (!here) return null;
  let [best, next] = [Infinity, null as number | null];
  for (const position of positions) {
    const at = position === from ? null : pixel(position);
    if (!at) continue;
    const [dx, dy] = [at[0] - here[0], at[1] - here[1]];
    const ahead = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    if (ahead > 0.5 && ahead + 2 * aside < best) [best, next] = [ahead + 2 * aside, position];
  }
  return next;
}
