import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const BEHAVIOURS = 25;

test("every behaviour of README.md has a test that is named by its number", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
  const texts = files.map((name) => readFileSync(join(import.meta.dirname, name), "utf8"));
  const numbers = texts.flatMap((text) => [...text.matchAll(/\btest\(\s*["`](\d+): /g)].map(([, number]) => number));
  const shown = new Set(numbers.map(Number));
  const missing = Array.from({ length: BEHAVIOURS }, (_, index) => index + 1).filter((number) => !shown.has(number));
  assert.deepEqual(missing, []);
  const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number));
  assert.deepEqual(
    rows,
    [...shown].sort((one, other) => one - other),
  );
});
