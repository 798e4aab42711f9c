import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut, type LatticeShape, levelOf, neighbour, nodeAt, nodeOf } from "./latticeLayout.ts";

const SHAPE: LatticeShape = { columns: ["a", "b", "c"], heights: [2, 1, 3], strides: [1, 3, 6], size: 24 };
const every = Array.from({ length: SHAPE.size }, (_, node) => node);
const levels = (node: number): number[] => SHAPE.heights.map((_, column) => levelOf(SHAPE, node, column));

test("nodes and levels convert into each other", () => {
  for (const node of every) assert.equal(nodeOf(SHAPE, levels(node)), node);
  assert.equal(new Set(every.map((node) => levels(node).join())).size, SHAPE.size);
  assert.equal(nodeOf(SHAPE, [1, null, 0]), null);
});

test("a step along an edge changes one level by one, and stops at the ends", () => {
  for (const node of every)
    SHAPE.heights.forEach((height, column) => {
      const up = neighbour(SHAPE, node, column, 1);
      const wanted = levels(node).map((level, i) => (i === column ? level + 1 : level));
      assert.deepEqual(up === null ? null : levels(up), wanted[column]! > height ? null : wanted);
      if (up !== null) assert.equal(neighbour(SHAPE, up, column, -1), node);
    });
});

for (const [width, height] of [
  [600, 400],
  [90, 60],
  [31, 2000],
] as const)
  test(`every node has its own cell in ${width} by ${height}, and is picked there`, () => {
    const layout = layOut(SHAPE, new Uint8Array(SHAPE.size), 0, width, height);
    for (const node of every) {
      const [x, y] = [layout.x[node]!, layout.y[node]!];
      assert.ok(x >= 0 && x <= width && y >= 0 && y <= height + 1, `${node} at ${x}, ${y}`);
      assert.equal(nodeAt(layout, x, y), node);
    }
    const sum = (node: number): number => levels(node).reduce((a, b) => a + b);
    for (const a of every) for (const b of every) if (sum(a) > sum(b)) assert.ok(layout.y[a]! < layout.y[b]!, "the more general is above");
  });

test("nodes of a low rank are hidden, and those of one rank are adjacent", () => {
  const rank = every.map((node) => node % 3);
  const layout = layOut(SHAPE, rank, 1, 600, 400);
  for (const node of every) assert.equal(Number.isNaN(layout.x[node]!), rank[node] === 0);
  for (const band of layout.bands) {
    const ranks = [...band.nodes].map((node) => rank[node]!);
    assert.deepEqual(
      ranks,
      ranks.toSorted((a, b) => b - a),
    );
  }
  assert.equal(nodeAt(layout, -5, 3), null);
});
