import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsIn, boundsText, keySetsOf, storedKeySet } from "./keys.ts";

test("key sets come back as they were", () => {
  const stored = [["age", "sex"], { columns: ["zip+4"], k: 20 }];
  assert.deepEqual(
    keySetsOf(stored, "k").map((one) => storedKeySet(one, "k")),
    stored,
  );
  assert.deepEqual(keySetsOf(null, "k"), []);
});

test("sizes of subsets are read and written", () => {
  assert.equal(boundsText(2), "2");
  assert.equal(boundsText({ "2": 40, "3": 20 }), "2:40, 3:20");
  assert.deepEqual(boundsIn(" 2: 40, 3:20 "), ["2:40", "3:20"]);
  assert.equal(boundsIn(" "), null);
});
