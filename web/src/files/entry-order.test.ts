import { expect, test } from "vitest";
import type { Entry } from "~/model/entries";
import { orderedBy } from "./entry-order";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "accent" });

function entry(name: string, size = 0, modifiedAt = "2026-01-01T00:00:00", isDirectory = false): Entry {
  return { name, path: name, size, modifiedAt, createdAt: modifiedAt, isDirectory, mount: null, readOnly: false };
}

function names(entries: Entry[], sort: "name" | "size" | "modified", order: "asc" | "desc"): string[] {
  return entries.toSorted(orderedBy(collator, { sort, order })).map(({ name }) => name);
}

test("names go by their numbers, folders first in both directions", () => {
  const entries = [entry("f198"), entry("f1946"), entry("f191"), entry("z", 0, undefined, true)];
  expect(names(entries, "name", "asc")).toEqual(["z", "f191", "f198", "f1946"]);
  expect(names(entries, "name", "desc")).toEqual(["z", "f1946", "f198", "f191"]);
});

test("sizes and times, and what is equal by name", () => {
  const entries = [entry("b", 2, "2026-03-01T00:00:00"), entry("c", 1), entry("a", 2, "2026-02-01T00:00:00")];
  expect(names(entries, "size", "asc")).toEqual(["c", "a", "b"]);
  expect(names(entries, "size", "desc")).toEqual(["a", "b", "c"]);
  expect(names(entries, "modified", "desc")).toEqual(["b", "a", "c"]);
});
