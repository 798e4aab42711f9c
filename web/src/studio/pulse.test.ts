import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../api/types.ts";
import { isStale, withProgress } from "./pulse.ts";

const run = (state: string, found: number) => ({ id: "r1", state, found, name: "mdav 1" });
const session = (state: string, found: number) => ({ version: 3, runs: [run(state, found)] }) as unknown as Session;
const pulse = (state: "running" | "done", found: number, version = 3) => ({
  version,
  runs: [{ id: "r1", state, share: 0.5, doing: "", seconds: 1, remaining: null, found }],
});

test("progress alone does not make a session stale", () => {
  assert.equal(isStale(session("running", 1), pulse("running", 9)), false);
  const runs = withProgress(session("running", 1), pulse("running", 9)).runs;
  assert.deepEqual([runs[0]?.found, runs[0]?.name], [9, "mdav 1"]);
});

test("a change, a run that ends and a run of another tab do", () => {
  assert.equal(isStale(session("running", 1), pulse("running", 1, 4)), true);
  assert.equal(isStale(session("running", 1), pulse("done", 1)), true);
  assert.equal(isStale({ version: 3, runs: [] } as unknown as Session, pulse("running", 0)), true);
});

test("a session without a running run stays the same object, so that nothing is drawn again", () => {
  const still = session("done", 5);
  assert.equal(withProgress(still, pulse("done", 5)), still);
});
