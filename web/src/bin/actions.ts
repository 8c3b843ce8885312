import type { QueryClient } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { type CursorList, changeList, fetchAll, useCursorList } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import { refusalText, sentenceKey } from "~/api/problem";
import { askForParts, entriesByName, itemOf, type Part } from "~/conflicts/questions";
import { showToast } from "~/controls/toast-store";
import type { Translate } from "~/messages";
import { nameOf, parentPath } from "~/model/path";
import { failureText, runTask, type Task } from "~/model/tasks";

/** Takes things out of the bin: what leaves it vanishes at once, and stands there again where that was refused. */
export class BinActions {
  private readonly client: QueryClient;
  private readonly t: Translate;

  constructor(client: QueryClient, t: Translate) {
    this.client = client;
    this.t = t;
  }

  /** Where they were; what becomes of a name that is taken there is asked. False where nothing was to be done. */
  async restore(items: readonly BinItem[] | "all"): Promise<boolean> {
    let undo = () => {};
    try {
      const parts = await planRestore(items === "all" ? await fetchAll(fetchPage) : items);
      if (!parts) return false;
      for (const { things, onConflict } of parts) {
        undo = this.hide(things);
        const sources = things.map(({ id }) => id);
        this.tell(await runTask(this.client, { kind: "restore", sources, onConflict }));
      }
    } catch (error) {
      undo();
      showToast({ text: this.t(sentenceKey(error)), tone: "danger" });
    }
    await this.refresh();
    return true;
  }

  /** Throws what the server refused; what was deleted before that is gone. */
  async discard(items: readonly BinItem[]): Promise<void> {
    try {
      for (const { id } of items) {
        await answerOf(v2.DELETE("/api/v2/bin/{id}", { params: { path: { id } } }));
      }
    } finally {
      await this.refresh();
    }
    showToast({ text: this.t("bin.discarded", { count: items.length }) });
  }

  /** Throws what the server refused. */
  async empty(): Promise<void> {
    await answerOf(v2.DELETE("/api/v2/bin"));
    await this.refresh();
    showToast({ text: this.t("bin.emptied") });
  }

  private hide(items: readonly BinItem[]): () => void {
    const gone = new Set(items.map(({ id }) => id));
    return changeList<BinItem>(this.client, keys.bin, (all) => all.filter(({ id }) => !gone.has(id)));
  }

  private tell(task: Task): void {
    const [first] = task.skipped;
    if (task.state === "failed") {
      showToast({ text: failureText(this.t, task), tone: "danger" });
    } else if (first) {
      const reason = refusalText(this.t, { ...first, message: first.reason });
      showToast({ text: this.t("files.skipped", { count: task.skippedCount, reason }), tone: "danger" });
    } else if (task.state === "done") {
      showToast({ text: this.t("files.restored", { count: task.sourceCount }) });
    }
  }

  private async refresh(): Promise<void> {
    await Promise.all(
      [keys.bin, keys.folders, keys.account].map((queryKey) => this.client.invalidateQueries({ queryKey })),
    );
  }
}

export type BinItem = Schemas["BinItem"];

/** The deleted items, the latest first. */
export function useBin(): CursorList<BinItem> {
  return useCursorList<BinItem>(keys.bin, fetchPage);
}

function fetchPage(query: { cursor?: string }, signal: AbortSignal) {
  return answerOf(v2.GET("/api/v2/bin", { params: { query }, signal }));
}

/** Asks what happens to names that are taken where things were; null where nothing is to be done. */
async function planRestore(items: readonly BinItem[]): Promise<Part<BinItem>[] | null> {
  const folders = [...new Set(items.map(({ path }) => parentPath(path)))];
  const listings = await Promise.all(folders.map(entriesByName));
  const there = new Map(folders.map((folder, index) => [folder, listings[index]]));
  return askForParts(items, ({ path, isDirectory, size }) => {
    const [folder, name] = [parentPath(path), nameOf(path)];
    const other = there.get(folder)?.get(name);
    return other
      ? { folder, name, there: itemOf(other), coming: { isDirectory, size, modifiedAt: null, picture: null } }
      : null;
  });
}
