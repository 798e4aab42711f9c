// Which point is meant: by a click near it, by a box around it, by an arrow key toward it.

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export type Pixel = (position: number) => readonly [number, number] | null;

const REACH = 14;

/** The point nearest to a click, if one is within a finger's reach; of equally near ones the last drawn. */
export function nearest(positions: readonly number[], pixel: Pixel, x: number, y: number, reach = REACH): number | null {
  let [best, found] = [reach * reach, null as number | null];
  for (const position of positions) {
    const at = pixel(position);
    if (!at) continue;
    const far = (at[0] - x) ** 2 + (at[1] - y) ** 2;
    if (far <= best) [best, found] = [far, position];
  }
  return found;
}

export function inside(positions: readonly number[], pixel: Pixel, box: Box): number[] {
  return positions.filter((position) => {
    const at = pixel(position);
    return at !== null && at[0] >= box.left && at[0] <= box.right && at[1] >= box.top && at[1] <= box.bottom;
  });
}

/** The nearest point in a direction; what lies aside counts double. */
export function nextAlong(positions: readonly number[], pixel: Pixel, from: number, way: readonly [number, number]): number | null {
  const here = pixel(from);
  if (!here) return null;
  let [best, found] = [Infinity, null as number | null];
  for (const position of positions) {
    const at = position === from ? null : pixel(position);
    if (!at) continue;
    const [dx, dy] = [at[0] - here[0], at[1] - here[1]];
    const ahead = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (ahead > 0.5 && ahead + 2 * aside < best) [best, found] = [ahead + 2 * aside, position];
  }
  return found;
}
