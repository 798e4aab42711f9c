import assert from "node:assert/strict";
import { test } from "node:test";
import { narrowed, type Part } from "./parts.ts";

const WHOLE: Part = [0, 100];

test("what is looked at stays where it is", () => {
  assert.deepEqual(narrowed(WHOLE, 0.5, 50, WHOLE), [25, 75]);
  assert.deepEqual(narrowed(WHOLE, 0.5, 20, WHOLE), [10, 60]);
  assert.deepEqual(narrowed(WHOLE, 0.5, 0, WHOLE), [0, 50]);
});

test("out again is back, and never beyond the ends", () => {
  assert.deepEqual(narrowed([10, 60], 2, 20, WHOLE), WHOLE);
  assert.deepEqual(narrowed([80, 100], 2, 100, WHOLE), [60, 100]);
  assert.deepEqual(narrowed(WHOLE, 2, 50, WHOLE), WHOLE);
});

test("what lies outside comes to the edge, and nothing shrinks to a point", () => {
  const [low, high] = narrowed([40, 60], 0.5, 90, WHOLE);
  assert.ok(low <= 90 && high >= 90);
  let part = WHOLE;
  for (let i = 0; i < 50; i++) part = narrowed(part, 0.5, 30, WHOLE);
  assert.ok(part[1] - part[0] >= 0.99 && part[0] <= 30 && part[1] >= 30);
});
