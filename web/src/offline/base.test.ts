import { expect, it } from "vitest";
import { baseOf as baseOfAll } from "~/platform/base";
import { baseOf } from "./base";

it.each([
  ["https://files.example.org/assets/offline-a1b2.js", ""],
  ["https://example.org/coffer/assets/offline-a1b2.js", "/coffer"],
  ["https://example.org/assets/coffer/assets/offline-a1b2.js", "/assets/coffer"],
])("of %s is the same as for the rest of the interface", (part, base) => {
  expect([baseOf(part), baseOfAll(part)]).toEqual([base, base]);
});
