import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CursorList, useCursorList } from "./cursor-list";

const KEY = ["list"];
const LETTERS = ["a", "b", "c"];

let client: QueryClient;
let root: Root;
let shown: CursorList<string>;
/** The pages that are asked for, until a test answers. */
let asked: { cursor: string; answer: () => void }[];

function fetchPage({ cursor = "0" }: { cursor?: string }, signal: AbortSignal) {
  return new Promise<{ entries: string[]; next: string | null }>((settle, fail) => {
    const number = Number(cursor);
    const next = number + 1 < LETTERS.length ? String(number + 1) : null;
    const answer = () => {
      asked = asked.filter((one) => one.answer !== answer);
      settle({ entries: [LETTERS[number] ?? ""], next });
    };
    signal.addEventListener("abort", () => {
      asked = asked.filter((one) => one.answer !== answer);
      fail(new DOMException("cancelled", "AbortError"));
    });
    asked.push({ cursor, answer });
  });
}

function List() {
  shown = useCursorList(KEY, fetchPage);
  return null;
}

const cursors = () => asked.map(({ cursor }) => cursor);
async function answer(cursor: string): Promise<void> {
  await vi.waitFor(() => expect(cursors()).toContain(cursor));
  asked.find((one) => one.cursor === cursor)?.answer();
}

beforeEach(async () => {
  asked = [];
  client = new QueryClient();
  root = createRoot(document.createElement("div"));
  root.render(createElement(QueryClientProvider, { client }, createElement(List)));
  await answer("0");
  await vi.waitFor(() => expect(shown.items).toEqual(["a"]));
});
afterEach(() => {
  root.unmount();
  client.clear();
});

test("more is there, though a refresh came before its answer", async () => {
  shown.loadMore();
  await vi.waitFor(() => expect(cursors()).toEqual(["1"]));
  void client.invalidateQueries({ queryKey: KEY });
  await answer("0");
  await answer("1");
  await vi.waitFor(() => expect(shown.items).toEqual(["a", "b"]));
  expect(shown.isLoadingMore).toBe(false);
  expect(shown.hasMore).toBe(true);
});

test("more is there, though it is asked for during a refresh, whose answer counts", async () => {
  void client.invalidateQueries({ queryKey: KEY });
  await vi.waitFor(() => expect(cursors()).toEqual(["0"]));
  shown.loadMore();
  await vi.waitFor(() => expect(shown.isLoadingMore).toBe(true));
  expect(cursors()).toEqual(["0"]);
  await answer("0");
  await answer("1");
  await vi.waitFor(() => expect(shown.items).toEqual(["a", "b"]));
});
