import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import { loadMessages } from "~/messages";
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

test("names are asked for in the order of the language that is shown", async () => {
  const page = { data: { entries: [], hasBin: false, hasVersions: false, next: null }, response: { ok: true } };
  const get = vi.spyOn(v2, "GET").mockResolvedValue(page as never);
  const client = new QueryClient();
  try {
    for (const language of ["de", "zh-Hans", "en"] as const) {
      await loadMessages(language);
      await client.fetchQuery(folderQuery("a", orderOf({})));
      const query = { path: "a", sort: "name", order: "asc", language, limit: 200 };
      expect(get).toHaveBeenLastCalledWith("/api/v2/files", expect.objectContaining({ params: { query } }));
    }
    expect(client.getQueryCache().getAll()).toHaveLength(3);
  } finally {
    await loadMessages("en");
    client.clear();
    vi.restoreAllMocks();
  }
});

test("an address without an order is by name", () => {
  expect(orderOf({ sort: undefined, order: undefined })).toEqual({ sort: "name", order: "asc" });
  expect(orderOf({ sort: "size" })).toEqual({ sort: "size", order: "asc" });
});
