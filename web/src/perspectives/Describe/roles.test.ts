import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoleFacts } from "../../api/types";
import { toggled } from "./roles.ts";

const facts: RoleFacts[] = [
  { name: "quasi", title: "", says: "", joins: ["protected"] },
  { name: "protected", title: "", says: "", joins: ["quasi", "sensitive"] },
  { name: "plain", title: "", says: "", joins: [] },
];

test("a role goes when it is clicked again", () => {
  assert.deepEqual(toggled(["quasi", "protected"], "quasi", facts), ["protected"]);
});

test("a role joins those it may be joined with and replaces the others", () => {
  assert.deepEqual(toggled(["quasi"], "protected", facts), ["quasi", "protected"]);
  assert.deepEqual(toggled(["quasi", "protected"], "plain", facts), ["plain"]);
});
