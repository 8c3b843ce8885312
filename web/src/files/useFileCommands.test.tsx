import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { v1 } from "~/api/client";
import { Problem } from "~/api/problem";
import { dismissToast, type Toast, useToasts } from "~/controls/toast-store";
import type { Entry } from "~/model/entries";
import { TestPage } from "~/testing/TestPage";
import { FileCollection } from "./FileCollection";
import { type FileCommands, useFileCommands } from "./useFileCommands";
import type { Folder } from "./useFolder";

const SOME = [{ name: "a", path: "a" }] as Entry[];
const FOLDER: Folder = {
  entries: SOME,
  hasBin: true,
  hasVersions: false,
  leftOut: 0,
  isPending: false,
  isComplete: false,
  isLoading: false,
  error: null,
  reload: () => {},
  loadAll: async () => SOME,
};

let page: TestPage;
let commands: FileCommands;
let toasts: readonly Toast[];

function Shown({ collection }: { collection: FileCollection }): null {
  toasts = useToasts();
  commands = useFileCommands("", FOLDER, "false a", collection);
  return null;
}

async function show(collection: FileCollection): Promise<void> {
  await page.show(<Shown collection={collection} />);
  await quiet();
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((settle) => setTimeout(settle));
}

beforeEach(() => {
  vi.spyOn(v1, "GET").mockResolvedValue({ data: { data: [] }, response: { ok: true } } as never);
  page = new TestPage();
});
afterEach(() => {
  for (const { id } of toasts) dismissToast(id);
  page.close();
  vi.restoreAllMocks();
});

test("what waits for all of a list is done when that has come", async () => {
  await show(new FileCollection(SOME, false));
  commands.select("all");
  await quiet();
  const done: Entry[][] = [];
  commands.withSelected((entries) => done.push(entries));
  await quiet();
  expect(commands.isWaiting).toBe(true);
  expect(done).toEqual([]);
  await show(new FileCollection(SOME, true));
  expect(done).toEqual([SOME]);
  expect(commands.isWaiting).toBe(false);
});

test("what waits for a list that broke off ends, and the person is told why", async () => {
  await show(new FileCollection(SOME, false));
  commands.select("all");
  await quiet();
  const done: Entry[][] = [];
  commands.withSelected((entries) => done.push(entries));
  await quiet();
  await show(new FileCollection(SOME, false, Problem.offline("")));
  expect(commands.isWaiting).toBe(false);
  expect(done).toEqual([]);
  expect(toasts.map(({ text }) => text)).toEqual([
    expect.stringContaining("The rest of the list could not be loaded."),
  ]);
});
