import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock("~/platform/base");
  vi.resetModules();
  localStorage.clear();
});

async function below(base: string) {
  vi.resetModules();
  vi.doMock("~/platform/base", () => ({ BASE: base }));
  return await import("./unfinished");
}

test("servers below other paths of one origin do not see each other's uploads", async () => {
  vi.stubGlobal("indexedDB", { databases: async () => [] });
  const one = await below("/a");
  one.markUnfinished("ann", true);
  expect(await one.mayBeUnfinished("ann")).toBe(true);
  const other = await below("/b");
  expect(await other.mayBeUnfinished("ann")).toBe(false);
  expect(new Set([one.DATABASE, other.DATABASE]).size).toBe(2);
});

test("a server at the top of its origin finds what was kept there", async () => {
  const { DATABASE, markUnfinished } = await below("");
  markUnfinished("ann", true);
  expect(DATABASE).toBe("coffer-uploads");
  expect(localStorage.getItem("coffer.uploads")).toBe('["ann"]');
});
