import assert from "node:assert/strict";
import { test } from "node:test";
import { geometry, MAX_HEIGHT, offsetShowing, rowsInView } from "./geometry.ts";

test("a short table is as high as its rows and is not scaled", () => {
  assert.deepEqual(geometry(100, 32, 400), { height: 3200, scale: 1, furthest: 2800 });
  assert.deepEqual(geometry(0, 32, 400), { height: 0, scale: 1, furthest: 0 });
});

test("the last row of a huge table is reached at the end of the scroll bar, below Chromium's cap", () => {
  for (const rows of [500_000, 500_001, 1_000_000, 100_000_000]) {
    const { height, scale, furthest } = geometry(rows, 32, 400);
    assert.ok(height <= MAX_HEIGHT);
    const offset = Math.min(furthest, (height - 400) * scale);
    assert.equal(rowsInView(offset, 32, 400, rows, 0)[1], rows);
  }
});

test("rows in view stay inside the table", () => {
  assert.deepEqual(rowsInView(0, 32, 320, 5), [0, 5]);
  assert.deepEqual(rowsInView(3200, 32, 320, 1000, 0), [100, 110]);
  assert.deepEqual(rowsInView(99999, 32, 320, 10), [10, 10]);
});

test("a row is brought into view with the least movement", () => {
  assert.equal(offsetShowing(5, 0, 32, 320), 0);
  assert.equal(offsetShowing(0, 64, 32, 320), 0);
  assert.equal(offsetShowing(10, 0, 32, 320), 32);
});
