import { afterEach, expect, test, vi } from "vitest";
import { watchSessionEnd } from "~/api/client";
import { Problem } from "~/api/problem";
import type { Entry } from "~/model/entries";
import { download } from "./download";

const FILE = { name: "a", path: "a", isDirectory: false } as Entry;

afterEach(() => {
  watchSessionEnd(() => {});
  vi.unstubAllGlobals();
});

function refuse(status: number, code: string): void {
  const body = JSON.stringify({ code });
  const headers = { "Content-Type": "application/problem+json" };
  vi.stubGlobal(
    "fetch",
    async (_: string, init?: RequestInit) => new Response(init?.method === "HEAD" ? null : body, { status, headers }),
  );
}

test("a download that finds the session ended tells so, as any other request", async () => {
  let hasEnded = false;
  watchSessionEnd(() => {
    hasEnded = true;
  });
  refuse(404, "not_found");
  await expect(download([FILE], null)).rejects.toMatchObject({ code: "not_found" });
  expect(hasEnded).toBe(false);
  refuse(401, "unauthenticated");
  await expect(download([FILE], null)).rejects.toBeInstanceOf(Problem);
  expect(hasEnded).toBe(true);
});
