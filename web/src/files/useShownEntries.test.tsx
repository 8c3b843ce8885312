import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem } from "~/api/problem";
import { loadMessages, MessagesProvider } from "~/messages";
import type { Entry } from "~/model/entries";
import { orderOf } from "~/model/folder-address";
import type { Found } from "~/search/found";
import type { FileCollection } from "./FileCollection";
import { type Folder, useShownEntries } from "./useFolder";

const ORDER = orderOf({});
const FOLDER: Folder = {
  entries: [{ name: "a", path: "a" }] as Entry[],
  hasBin: true,
  hasVersions: false,
  leftOut: 0,
  isPending: false,
  isComplete: false,
  isLoading: false,
  error: new Problem("timed_out", ""),
  reload: () => {},
  loadAll: async () => [],
};
const RUNNING: Found = { entries: [], isRunning: true, end: null, error: null };

let root: Root;
let shown: FileCollection | null;

type Props = { folder: Folder; text: string; found: Found };

function Shown({ folder, text, found }: Props): null {
  shown = useShownEntries(folder, text, found, ORDER);
  return null;
}

async function show(props: Props): Promise<{ isWhole: boolean; error: unknown }> {
  const first = await loadMessages("en");
  shown = null;
  root.render(
    <MessagesProvider first={first}>
      <Shown {...props} />
    </MessagesProvider>,
  );
  return vi.waitFor(() => {
    if (!shown) throw new Error("not yet");
    return { isWhole: shown.isWhole, error: shown.error };
  });
}

beforeEach(() => {
  root = createRoot(document.createElement("div"));
});
afterEach(() => root.unmount());

test("the rest of a list that broke off may come while it is loaded again", async () => {
  const { error } = FOLDER;
  expect(await show({ folder: FOLDER, text: "", found: RUNNING })).toEqual({ isWhole: false, error });
  const again = { ...FOLDER, isLoading: true };
  expect(await show({ folder: again, text: "", found: RUNNING })).toEqual({ isWhole: false, error: null });
});

test("a search in a complete folder goes on where that could not be looked at again", async () => {
  const folder = { ...FOLDER, isComplete: true };
  expect(await show({ folder, text: "a", found: RUNNING })).toEqual({ isWhole: false, error: null });
  const error = new Problem("failed", "");
  const found = { ...RUNNING, isRunning: false, error };
  expect(await show({ folder, text: "a", found })).toEqual({ isWhole: false, error });
});
