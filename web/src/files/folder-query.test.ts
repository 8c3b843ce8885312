import { expect, test } from "vitest";
import { orderOf } from "~/model/folder-address";
import { folderQuery } from "./folder-query";

const page = (name: string) => ({ pages: [{ entries: [{ name }] }], pageParams: [null] });

function shown(before: unknown, now: unknown): unknown {
  const keep = folderQuery("", orderOf({})).structuralSharing;
  if (typeof keep !== "function") throw new Error("what is the same is not kept");
  return keep(before, now);
}

test("a short folder that is the same is not shown anew", () => {
  const before = page("a");
  expect(shown(before, page("a"))).toBe(before);
  expect(shown(before, page("b"))).toEqual(page("b"));
  expect(shown(undefined, before)).toBe(before);
});

test("a long one is, since comparing takes longer", () => {
  const long = () => ({ pages: [...page("a").pages, ...page("b").pages], pageParams: [null, "x"] });
  const now = long();
  expect(shown(long(), now)).toBe(now);
});

test("an address without an order is by name", () => {
  expect(orderOf({ sort: undefined, order: undefined })).toEqual({ sort: "name", order: "asc" });
  expect(orderOf({ sort: "size" })).toEqual({ sort: "size", order: "asc" });
});
