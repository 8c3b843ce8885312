import { expect, it } from "vitest";
import { allMadeWith, goneMakers, type Made } from "./query";

const made = (id: string, ...makers: string[]) => ({ id, makers });
const all = {
  keys: [made("c", "b", "a"), made("a"), made("b", "a"), made("other", "gone", "a")],
  links: [made("l", "c", "b", "a"), made("m")],
} as unknown as Made;
const idsOf = ({ keys, links }: Made) => [keys.map(({ id }) => id), links.map(({ id }) => id)];

it("finds what a key made, and what that made, also past one that is gone", () => {
  expect(idsOf(allMadeWith("a", all))).toEqual([["c", "b", "other"], ["l"]]);
  expect(idsOf(allMadeWith("b", all))).toEqual([["c"], ["l"]]);
  expect(idsOf(allMadeWith("gone", all))).toEqual([["other"], []]);
  expect(idsOf(allMadeWith("other", all))).toEqual([[], []]);
});

it("tells the makers that are gone", () => {
  expect(all.keys.map((key) => goneMakers(key, all.keys))).toEqual([[], [], [], ["gone"]]);
  expect(goneMakers(made("d", "x", "a", "y") as never, all.keys)).toEqual(["x", "y"]);
});
