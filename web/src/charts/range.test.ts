import assert from "node:assert/strict";
import { test } from "node:test";
import { type Range, zoomed } from "./range.ts";

const WHOLE: Range = [0, 100];

test("the centre keeps its place on the screen", () => {
  assert.deepEqual(zoomed(WHOLE, 0.5, 50, WHOLE), [25, 75]);
  assert.deepEqual(zoomed(WHOLE, 0.5, 20, WHOLE), [10, 60]);
  assert.deepEqual(zoomed(WHOLE, 0.5, 0, WHOLE), [0, 50]);
});

test("zooming out undoes zooming in, within the limits", () => {
  assert.deepEqual(zoomed([10, 60], 2, 20, WHOLE), WHOLE);
  assert.deepEqual(zoomed([80, 100], 2, 100, WHOLE), [60, 100]);
  assert.deepEqual(zoomed(WHOLE, 2, 50, WHOLE), WHOLE);
});

test("a centre outside comes into view, and the width has a minimum", () => {
  const [low, high] = zoomed([40, 60], 0.5, 90, WHOLE);
  assert.ok(low <= 90 && high >= 90);
  let range = WHOLE;
  for (let i = 0; i < 50; i++) range = zoomed(range, 0.5, 30, WHOLE);
  assert.ok(range[1] - range[0] >= 0.99 && range[0] <= 30 && range[1] >= 30);
});
