import assert from "node:assert/strict";
import { test } from "node:test";
import { inside, nearest, nextAlong } from "./picking.ts";

const PLACES: ([number, number] | null)[] = [[10, 10], [20, 10], [10, 30], null, [200, 200]];
const pixel = (position: number): [number, number] | null => PLACES[position] ?? null;
const ALL = [0, 1, 2, 3, 4];

test("a click picks the nearest point within reach", () => {
  assert.equal(nearest(ALL, pixel, 12, 11), 0);
  assert.equal(nearest(ALL, pixel, 18, 10), 1);
  assert.equal(nearest(ALL, pixel, 100, 100), null);
  assert.equal(nearest([1, 2], pixel, 10, 10), 1, "a point that is filtered out is not picked");
});

test("of coincident points the last drawn is picked", () => {
  assert.equal(
    nearest([0, 1], () => [5, 5], 5, 5),
    1,
  );
});

test("a box includes its edges", () => {
  assert.deepEqual(inside(ALL, pixel, { left: 10, right: 20, top: 10, bottom: 30 }), [0, 1, 2]);
  assert.deepEqual(inside(ALL, pixel, { left: 11, right: 19, top: 0, bottom: 99 }), []);
});

test("an arrow key goes to the next point in its direction, if there is one", () => {
  assert.equal(nextAlong(ALL, pixel, 0, [1, 0]), 1);
  assert.equal(nextAlong(ALL, pixel, 0, [0, 1]), 2);
  assert.equal(nextAlong(ALL, pixel, 0, [-1, 0]), null);
  assert.equal(nextAlong(ALL, pixel, 3, [1, 0]), null, "a point without a pixel has no neighbour");
});
