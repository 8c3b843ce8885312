import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { Problem } from "~/api/problem";
import { refreshFolder } from "~/api/refresh";
import type { Translate } from "~/messages";
import { orderOf } from "~/model/folder-address";
import { FileActions } from "~/transfer/actions";
import { type Folder, useFolder } from "./useFolder";

type Answer = { data: unknown; response: { ok: true } };
type Request = { number: number; answer: () => void; refuse: (problem: Problem) => void };
type Options = { params?: { query?: { cursor?: string } }; signal?: AbortSignal };

/** The folder has three pages of two entries. */
const PAGES = 3;
const WHOLE = ["0a", "0b", "1a", "1b", "2a", "2b"];

let client: QueryClient;
let root: Root;
let shown: Folder;
/** How many entries were shown, one after the other. */
let counts: number[];
/** The requests that wait for an answer, and how many there have been. */
let waiting: Request[];
let asked: number;
let whenAsked: (request: Request) => void;
/** What others have added at the end. */
let added: string[];

const ok = (data: unknown): Answer => ({ data, response: { ok: true } });

function pageAt(cursor: string): unknown {
  const number = Number(cursor);
  const last = number + 1 === PAGES ? added : [];
  const entries = ["a", "b", ...last].map((letter) => ({
    name: `${number}${letter}`,
    path: `folder/${number}${letter}`,
  }));
  return {
    entries,
    hasBin: true,
    hasVersions: false,
    leftOut: 0,
    next: number + 1 === PAGES ? null : String(number + 1),
  };
}

function ask(path: string, { params, signal }: Options): Promise<Answer> {
  if (path !== "/api/v2/files") return Promise.resolve(ok([]));
  return new Promise((settle, fail) => {
    const number = asked;
    asked += 1;
    const end = () => {
      waiting = waiting.filter((one) => one.number !== number);
    };
    const request: Request = {
      number,
      answer: () => {
        end();
        settle(ok(pageAt(params?.query?.cursor ?? "0")));
      },
      refuse: (problem) => {
        end();
        fail(problem);
      },
    };
    signal?.addEventListener("abort", () => {
      end();
      fail(new DOMException("cancelled", "AbortError"));
    });
    waiting.push(request);
    whenAsked(request);
  });
}

function Shown(): null {
  shown = useFolder("folder", orderOf({}));
  counts.push(shown.entries.length);
  return null;
}

beforeEach(() => {
  waiting = [];
  asked = 0;
  counts = [];
  whenAsked = () => {};
  added = [];
  vi.spyOn(v2, "GET").mockImplementation(ask as never);
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: false } } });
  root = createRoot(document.createElement("div"));
});
afterEach(() => {
  root.unmount();
  client.clear();
  vi.restoreAllMocks();
});

function open(): void {
  root.render(createElement(QueryClientProvider, { client }, createElement(Shown)));
}

/** Lets all happen that needs no answer of the server. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((settle) => setTimeout(settle));
}

async function answerAll(answered: (request: Request) => void = () => {}): Promise<void> {
  await quiet();
  for (let [next] = waiting; next; [next] = waiting) {
    next.answer();
    answered(next);
    await quiet();
  }
}

const names = () => shown.entries.map(({ name }) => name);
const refresh = () => void client.invalidateQueries({ queryKey: keys.folder("folder") });
const EVENTS = {
  "a change is told": refresh,
  "two changes are told": () => {
    refresh();
    queueMicrotask(refresh);
  },
  "something is done here": () => void refreshFolder(client, "folder"),
};
const DELAYS = {
  "at once": (event: () => void) => event(),
  "in the same turn": queueMicrotask,
  "a turn later": (event: () => void) => void setTimeout(event),
};

for (const [what, event] of Object.entries(EVENTS)) {
  for (const [delay, after] of Object.entries(DELAYS)) {
    for (let number = 0; number < PAGES; number += 1) {
      for (const moment of ["asked", "answered"] as const) {
        test(`a folder is whole where ${what} ${delay} after page ${number} is ${moment}`, async () => {
          const happens = (request: Request) => {
            if (request.number === number) after(event);
          };
          if (moment === "asked") whenAsked = happens;
          open();
          await answerAll(moment === "answered" ? happens : undefined);
          expect(names()).toEqual(WHOLE);
          expect(shown.isComplete).toBe(true);
          expect(counts).toEqual(counts.toSorted((one, other) => one - other));
        });
      }
    }
  }
}

for (let number = 0; number < PAGES; number += 1) {
  test(`a folder whose page ${number} fails says so, and is whole when it is asked for again`, async () => {
    whenAsked = (request) => {
      if (request.number === number) queueMicrotask(() => request.refuse(new Problem("timed_out", "", 504)));
    };
    open();
    await answerAll();
    expect([shown.isComplete, shown.isLoading]).toEqual([false, false]);
    expect(shown.error).toBeInstanceOf(Problem);
    expect(names()).toEqual(WHOLE.slice(0, 2 * number));
    refresh();
    await quiet();
    expect(shown.isLoading).toBe(true);
    await answerAll();
    expect(names()).toEqual(WHOLE);
    expect(shown.isComplete).toBe(true);
    expect(shown.error).toBeNull();
  });

  test(`a folder that is left before page ${number} comes is whole when one is back`, async () => {
    open();
    await quiet();
    for (let page = 0; page < number; page += 1) {
      waiting[0]?.answer();
      await quiet();
    }
    root.unmount();
    await quiet();
    root = createRoot(document.createElement("div"));
    open();
    await answerAll();
    expect(names()).toEqual(WHOLE);
    expect(shown.isComplete).toBe(true);
  });
}

test("the first page is shown before the others come, and a later look is not shown in parts", async () => {
  open();
  await quiet();
  waiting[0]?.answer();
  await quiet();
  expect(names()).toEqual(WHOLE.slice(0, 2));
  expect(shown.isComplete).toBe(false);
  await answerAll();
  counts = [];
  refresh();
  await answerAll();
  expect(asked).toBe(2 * PAGES);
  expect(new Set(counts)).toEqual(new Set([WHOLE.length]));
});

const say = Object.assign((key: string) => key, { language: "en" }) as Translate;

/** Begins to delete the first entry; the function given back has the server refuse that. */
function beginDeletion(): () => void {
  let refuse = () => {};
  const answer = new Promise((_, fail) => {
    refuse = () => fail(new Problem("forbidden", "", 403));
  });
  vi.spyOn(v2, "POST").mockReturnValue(answer as never);
  void new FileActions(client, say).delete(shown.entries.slice(0, 1), true);
  return refuse;
}

test("a folder goes on loading while something of it is deleted, and a refusal shows that again", async () => {
  open();
  await quiet();
  waiting[0]?.answer();
  await quiet();
  const refuse = beginDeletion();
  await answerAll();
  expect(names()).toEqual(WHOLE.slice(1));
  expect(shown.isComplete).toBe(true);
  refuse();
  await quiet();
  expect(names()).toEqual(WHOLE);
});

test("what others add meanwhile is shown with a deletion that is under way, and stays when that is refused", async () => {
  open();
  await answerAll();
  const refuse = beginDeletion();
  added = ["c"];
  refresh();
  await answerAll();
  expect(names()).toEqual([...WHOLE.slice(1), "2c"]);
  refuse();
  await quiet();
  expect(names()).toEqual([...WHOLE, "2c"]);
});

test("what was deleted is not shown again by a folder that is left before it is listed anew", async () => {
  open();
  await answerAll();
  const ended = { id: "1", state: "done", skipped: [] };
  vi.spyOn(v2, "POST").mockResolvedValue(ok(ended) as never);
  const deletion = new FileActions(client, say).delete(shown.entries.slice(0, 1), true);
  root.unmount();
  await deletion;
  root = createRoot(document.createElement("div"));
  open();
  await quiet();
  expect(names()).toEqual(WHOLE.slice(1));
});
