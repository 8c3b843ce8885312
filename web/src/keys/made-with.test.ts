import { expect, it } from "vitest";
import { allMadeWith, type Made, rootOf } from "./made-with";

const made = (id: string, madeBy: string | null) => ({ id, madeBy });
const all = {
  keys: [made("c", "b"), made("a", null), made("b", "a"), made("other", "gone")],
  links: [made("l", "c"), made("m", null)],
} as unknown as Made;
const idsOf = ({ keys, links }: Made) => [keys.map(({ id }) => id), links.map(({ id }) => id)];

it("follows keys that made keys, in whichever order they are listed", () => {
  expect(idsOf(allMadeWith("a", all))).toEqual([["c", "b"], ["l"]]);
  expect(idsOf(allMadeWith("c", all))).toEqual([[], ["l"]]);
  expect(idsOf(allMadeWith("other", all))).toEqual([[], []]);
});

it("takes a maker that is gone for the root", () => {
  const roots = all.keys.map((key) => rootOf(key, all.keys));
  expect(roots).toEqual(["c", "a", "b", "gone"]);
});
