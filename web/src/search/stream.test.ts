import { afterEach, expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import { Problem } from "~/api/problem";
import { readLines, search } from "./stream";

afterEach(() => {
  vi.restoreAllMocks();
});

const line = (name: string) => JSON.stringify({ name, path: `a/${name}` });

test("whole lines are read, and a piece of one waits for the rest", () => {
  const cut = `${line("x")}\n${line("y")}`;
  const first = readLines(cut);
  expect(first.batch.entries.map(({ name }) => name)).toEqual(["x"]);
  const second = readLines(`${first.rest}\n{"found":2,"unreadFolders":1,"isLimited":false}\n`);
  expect(second.batch.entries.map(({ name }) => name)).toEqual(["y"]);
  expect(second.batch.end).toEqual({ found: 2, unreadFolders: 1, isLimited: false });
  expect(second.rest).toBe("");
});

test("a file named as the last line's field is no end", () => {
  expect(readLines(`${line("found")}\n\n`).batch).toEqual({ entries: [JSON.parse(line("found"))], end: null });
});

/** The batches of a search whose answer is this text; what it threw stands behind them. */
async function searched(text: string): Promise<unknown[]> {
  const body = new Response(text).body;
  vi.spyOn(v2, "GET").mockResolvedValue({ data: body, response: new Response() } as never);
  const all: unknown[] = [];
  try {
    for await (const batch of search("a", "", new AbortController().signal)) all.push(batch);
  } catch (error) {
    all.push(error);
  }
  return all;
}

test("a search without its end has broken off", async () => {
  const end = '{"found":1,"isLimited":false,"unreadFolders":0}\n';
  expect(await searched(`{"name":"a"}\n${end}`)).toHaveLength(1);
  const [found, problem] = await searched('{"name":"a"}\n');
  expect(found).toEqual({ entries: [{ name: "a" }], end: null });
  expect(problem).toBeInstanceOf(Problem);
});
