import { expect, test } from "vitest";
import { EVERYTHING, exportAddress, queryOf } from "./audit";

test("nothing is asked for where nothing is looked for", () => {
  expect(queryOf(EVERYTHING)).toEqual({});
  expect(exportAddress(EVERYTHING, "csv")).toBe("/api/v2/admin/audit/export?format=csv");
});

test("days are the reader's, the last one whole", () => {
  const { from = "", to = "" } = queryOf({ ...EVERYTHING, first: "2026-11-24", last: "2026-11-24" });
  expect(new Date(`${from}Z`)).toEqual(new Date("2026-11-24T00:00:00"));
  expect(new Date(`${to}Z`)).toEqual(new Date("2026-11-25T00:00:00"));
});

test("names are encoded in the address of an export", () => {
  const address = exportAddress({ ...EVERYTHING, event: "link.ended", account: "a&b=c" }, "jsonl");
  expect([...new URL(address, "http://x").searchParams]).toEqual([
    ["event", "link.ended"],
    ["account", "a&b=c"],
    ["format", "jsonl"],
  ]);
});
