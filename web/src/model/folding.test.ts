import { expect, test } from "vitest";
import pairs from "~/model/folding-pairs.json";
import { folded } from "./folding";

test.each(pairs.same)("%s is found by %s", (one, other) => {
  expect(folded(one as string)).toBe(folded(other as string));
});

test.each(pairs.different)("%s is not found by %s", (one, other) => {
  expect(folded(one as string)).not.toBe(folded(other as string));
});
