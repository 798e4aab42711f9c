import assert from "node:assert/strict";
import { test } from "node:test";
import { geometry, MAX_HEIGHT, offsetShowing, rowsInView } from "./geometry.ts";

test("a short table is as high as its rows and not scaled", () => {
  assert.deepEqual(geometry(100, 32, 400), { height: 3200, scale: 1, maxOffset: 2800 });
  assert.deepEqual(geometry(0, 32, 400), { height: 0, scale: 1, maxOffset: 0 });
});

test("the end of the scroll bar is the last row of a huge table, within Chromium's limit", () => {
  for (const rows of [500_000, 500_001, 1_000_000, 100_000_000]) {
    const { height, scale, maxOffset } = geometry(rows, 32, 400);
    assert.ok(height <= MAX_HEIGHT);
    const offset = Math.min(maxOffset, (height - 400) * scale);
    assert.equal(rowsInView(offset, 32, 400, rows, 0)[1], rows);
  }
});

test("visible rows are rows of the table", () => {
  assert.deepEqual(rowsInView(0, 32, 320, 5), [0, 5]);
  assert.deepEqual(rowsInView(3200, 32, 320, 1000, 0), [100, 110]);
  assert.deepEqual(rowsInView(99999, 32, 320, 10), [10, 10]);
});

test("a row is revealed with the least scrolling", () => {
  assert.equal(offsetShowing(5, 0, 32, 320), 0);
  assert.equal(offsetShowing(0, 64, 32, 320), 0);
  assert.equal(offsetShowing(10, 0, 32, 320), 32);
});
