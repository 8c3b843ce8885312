import { expect, test } from "vitest";
import { orderOf } from "~/model/folder-address";
import { folderQuery } from "./folder-query";

const list = (name: string, length = 1) => ({ entries: Array.from({ length }, () => ({ name })), isWhole: true });

function shown(before: unknown, now: unknown): unknown {
  const keep = folderQuery("", orderOf({})).structuralSharing;
  if (typeof keep !== "function") throw new Error("what is the same is not kept");
  return keep(before, now);
}

test("a short folder that is the same is not shown anew", () => {
  const before = list("a");
  expect(shown(before, list("a"))).toBe(before);
  expect(shown(before, list("b"))).toEqual(list("b"));
  expect(shown(undefined, before)).toBe(before);
});

test("a long one is, since comparing takes longer", () => {
  const now = list("a", 201);
  expect(shown(list("a", 201), now)).toBe(now);
});

test("an address without an order is by name", () => {
  expect(orderOf({ sort: undefined, order: undefined })).toEqual({ sort: "name", order: "asc" });
  expect(orderOf({ sort: "size" })).toEqual({ sort: "size", order: "asc" });
});
