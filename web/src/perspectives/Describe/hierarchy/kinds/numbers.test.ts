import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsIn, edges, mostFrequent, prefixLengths, roundStep } from "./numbers.ts";

test("edges reach the end for any step", () => {
  assert.deepEqual(edges(0, 40, 10), [0, 10, 20, 30, 40]);
  assert.deepEqual(edges(0, 41, 10), [0, 10, 20, 30, 40, 50]);
  assert.deepEqual(edges(0, 0.3, 0.1), [0, 0.1, 0.2, 0.3]);
  assert.equal(edges(0, 40, 0), null);
  assert.equal(edges(5, 5, 1), null);
  assert.equal(edges(0, 1e9, 1), null);
});

test("bounds are numbers or dates", () => {
  assert.deepEqual(boundsIn("85, 80.5"), [85, 80.5]);
  assert.deepEqual(boundsIn("1935-01-01,"), ["1935-01-01"]);
  assert.deepEqual(boundsIn(""), []);
  assert.equal(boundsIn("old"), null);
});

test("steps are round", () => {
  assert.equal(roundStep(73, 15), 5);
  assert.equal(roundStep(100000, 12), 10000);
});

test("prefixes get shorter, to one character at least", () => {
  assert.deepEqual(prefixLengths(8), [6, 4, 2]);
  assert.deepEqual(prefixLengths(5), [4, 3, 2]);
  assert.deepEqual(prefixLengths(1), [1]);
});

test("the most frequent values are kept, fewer at each level", () => {
  const values = [
    { label: "a", rows: 1 },
    { label: "b", rows: 9 },
    { label: "c", rows: 4 },
  ];
  assert.deepEqual(mostFrequent(values, [2, 1]), [["b", "c"], ["b"]]);
  for (const numbers of [[], [4], [0], [1, 1], [1, 2], [1.5]]) assert.equal(mostFrequent(values, numbers), null);
});
