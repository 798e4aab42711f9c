import assert from "node:assert/strict";
import { test } from "node:test";
import { type Better, frontierOf } from "./frontier.ts";

/** Pseudorandom integers, the same in every run. */
function random(seed: number, many: number, maximum: number): number[] {
  let state = seed;
  return Array.from({ length: many }, () => (state = (state * 1103515245 + 12345) % 2 ** 31) % maximum);
}

test("the frontier is what nothing dominates, in any direction", () => {
  for (const better of [
    ["lower", "lower"],
    ["higher", "lower"],
    ["lower", "higher"],
    ["higher", "higher"],
  ] as [Better, Better][]) {
    const [x, y] = [random(3, 80, 40), random(7, 80, 40)];
    const cost = (i: number): [number, number] => [better[0] === "lower" ? x[i]! : -x[i]!, better[1] === "lower" ? y[i]! : -y[i]!];
    const beats = (a: [number, number], b: [number, number]): boolean => a[0] <= b[0] && a[1] <= b[1] && (a[0] < b[0] || a[1] < b[1]);
    const all = x.map((_, i) => i);
    const best = all.filter((i) => !all.some((j) => beats(cost(j), cost(i)))).map((i) => cost(i).join());
    const computed = frontierOf(all, x, y, better).map((i) => cost(i).join());
    assert.deepEqual(new Set(computed), new Set(best), better.join());
    assert.equal(computed.length, new Set(computed).size);
  }
});

test("a missing value is never on the frontier, and a filtered candidate dominates nothing", () => {
  assert.deepEqual(frontierOf([0, 1, 2], [null, 2, 1], [0, NaN, 5], ["lower", "lower"]), [2]);
  assert.deepEqual(frontierOf([1], [0, 5], [0, 5], ["lower", "lower"]), [1]);
  assert.deepEqual(frontierOf([], [], [], ["lower", "lower"]), []);
});
