/** A part of an axis, from one value to another. */
export type Part = readonly [low: number, high: number];

const SMALLEST = 0.01;

/** A part so many times as wide, with `around` at the same share of it, as far as the ends of the whole allow. */
export function narrowed(part: Part, times: number, around: number, whole: Part): Part {
  const [all, now] = [whole[1] - whole[0], part[1] - part[0]];
  const width = Math.min(all, Math.max(all * SMALLEST, now * times));
  const share = now > 0 ? Math.min(1, Math.max(0, (around - part[0]) / now)) : 0.5;
  const low = Math.min(whole[1] - width, Math.max(whole[0], around - width * share));
  return [low, low + width];
}
