import { expect, test } from "vitest";
import { viewOf } from "./view";

test("what is stored counts as far as it makes sense", () => {
  const usual = { layout: "list", columns: ["modified", "size"], details: false };
  for (const bad of [undefined, null, 3, "grid", [], {}, { layout: "tree", columns: "size", details: "yes" }]) {
    expect(viewOf(bad)).toEqual(usual);
  }
  expect(viewOf({ layout: "grid", columns: ["size", "colour", "modified"], details: true })).toEqual({
    layout: "grid",
    columns: ["modified", "size"],
    details: true,
  });
  expect(viewOf({ columns: [] }).columns).toEqual([]);
});
