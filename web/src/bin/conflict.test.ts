import { expect, test } from "vitest";
import { endedByTakenName } from "./conflict";

test("a taken name is told from other failures", () => {
  expect(endedByTakenName({ state: "failed", error: 'The name "a.txt" is taken; nothing was done.' })).toBe(true);
  expect(endedByTakenName({ state: "failed", error: 'The name "a\nb" is taken.' })).toBe(true);
  expect(endedByTakenName({ state: "failed", error: "There is no room." })).toBe(false);
  expect(endedByTakenName({ state: "failed", error: null })).toBe(false);
});

test("what was done did not end by a taken name, whatever it says", () => {
  expect(endedByTakenName({ state: "done", error: 'The name "a" is taken.' })).toBe(false);
  expect(endedByTakenName({ state: "cancelled", error: 'The name "a" is taken.' })).toBe(false);
});
