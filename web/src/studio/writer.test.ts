import assert from "node:assert/strict";
import { test } from "node:test";
import { Writer } from "./writer.ts";

test("a change waits for the one before, and has seen its version", async () => {
  const writer = new Writer();
  const sent: string[] = [];
  writer.noticed(3);
  const first = writer.send(async (headers) => {
    await new Promise((resume) => setTimeout(resume, 5));
    sent.push(String(headers["X-Fairveil-Version"]));
    writer.noticed(4);
    throw new Error("refused");
  });
  const second = writer.send((headers) => Promise.resolve(sent.push(String(headers["X-Fairveil-Version"]))));
  await assert.rejects(first);
  await second;
  writer.noticed(2);
  await writer.send((headers) => Promise.resolve(sent.push(String(headers["X-Fairveil-Version"]))));
  assert.deepEqual(sent, ["3", "4", "4"]);
});
