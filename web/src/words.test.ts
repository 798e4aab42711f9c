import assert from "node:assert/strict";
import { test } from "node:test";
import { duration, numbersIn, percent, plural, sentence, size } from "./words.ts";

test("a positive share never reads as zero", () => {
  assert.equal(percent(0), "0 %");
  assert.equal(percent(0.0004), "< 0.1 %");
  assert.equal(percent(0.05), "5.0 %");
  assert.equal(percent(1), "100 %");
});

test("counts, times and sizes are rounded to what is read", () => {
  assert.equal(plural(1, "row"), "1 row");
  assert.equal(plural(30162, "row"), "30,162 rows");
  assert.equal(duration(0.2), "a moment");
  assert.equal(duration(61), "61 seconds");
  assert.equal(duration(600), "10 minutes");
  assert.equal(size(1_500_000), "1.5 MB");
});

test("only a letter is capitalized", () => {
  assert.equal(sentence("no promise"), "No promise");
  assert.equal(sentence("'age' has no role"), "'age' has no role");
  assert.equal(sentence("k=500 is too much"), "k=500 is too much");
});

test("lists of numbers", () => {
  assert.deepEqual(numbersIn("10, 20;40"), [10, 20, 40]);
  assert.deepEqual(numbersIn(""), []);
  assert.equal(numbersIn("10, x"), null);
});
