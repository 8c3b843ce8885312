import type { QueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { pagesOf } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import { refusalText, sentenceKey } from "~/api/problem";
import { refreshFolder } from "~/api/refresh";
import { askForParts, entriesByName, itemOf, type Part } from "~/conflicts/questions";
import { showToast } from "~/controls/toast-store";
import type { Translate } from "~/messages";
import type { Entry, FolderList } from "~/model/entries";
import { childPath, parentPath } from "~/model/path";
import { type Change, showChange } from "~/model/pending-changes";
import { failureText, runTask, type Task, type WantedTask } from "~/model/tasks";

type Done = "files.restored" | "files.moved" | "files.copied" | "files.unpacked";

/** The actions on files. Each shows its effect at once, and takes it back with the reason if the server refuses. */
export class FileActions {
  private readonly client: QueryClient;
  private readonly t: Translate;

  constructor(client: QueryClient, t: Translate) {
    this.client = client;
    this.t = t;
  }

  /** Shows the new name at once, unless another item has it. Gives the path in the end: the old one if it is refused. */
  async rename(entry: Entry, newName: string): Promise<string> {
    const folder = parentPath(entry.path);
    let path = childPath(folder, newName);
    const renamed = { ...entry, name: newName, path };
    const change: Change = (entries) =>
      entries.some((one) => one.path === renamed.path)
        ? entries
        : entries.map((one) => (one.path === entry.path ? renamed : one));
    await this.showing([folder], change, async () => {
      try {
        await answerOf(v2.PATCH("/api/v2/files", { body: { path: entry.path, newName } }));
      } catch (error) {
        path = entry.path;
        const reason = this.t(sentenceKey(error));
        showToast({ text: this.t("files.renameFailed", { name: entry.name, reason }), tone: "danger" });
      }
      return path === renamed.path;
    });
    return path;
  }

  /** Throws what the server refused, for the dialog to say beside the name. */
  async makeFolder(folder: string, name: string): Promise<void> {
    await answerOf(v2.POST("/api/v2/folders", { body: { path: childPath(folder, name) } }));
    await refreshFolder(this.client, folder);
  }

  /** An empty file. Throws likewise, also where the name is taken. */
  async makeFile(folder: string, name: string): Promise<void> {
    await answerOf(
      v2.PUT("/api/v2/files/content", {
        params: { query: { path: childPath(folder, name) } },
        body: "",
        bodySerializer: () => "",
        headers: { "Content-Type": "application/octet-stream", "If-None-Match": "*" },
      }),
    );
    await refreshFolder(this.client, folder);
  }

  /** Into the bin, with a way back, or for good. */
  async delete(entries: readonly Entry[], permanent: boolean): Promise<void> {
    const task = await this.change(entries, {
      kind: "delete",
      sources: entries.map(({ path }) => path),
      ...(permanent && { permanent }),
    });
    if (!task || permanent || task.state !== "done") return;
    const [only] = entries;
    const count = entries.length;
    const text =
      count === 1 && only ? this.t("files.deletedOne", { name: only.name }) : this.t("files.deletedMany", { count });
    showToast({ text, action: { text: this.t("files.undo"), run: () => void this.restore(entries, task) } });
  }

  private async restore(entries: readonly Entry[], deletion: Task): Promise<void> {
    await this.reporting(async () => {
      const sources = await binIdsOf(entries, deletion);
      const task = await runTask(this.client, { kind: "restore", sources, onConflict: "keepBoth" });
      this.tell(task, "files.restored");
      for (const folder of new Set(entries.map(({ path }) => parentPath(path)))) {
        await refreshFolder(this.client, folder);
      }
    });
  }

  /** To another folder; what becomes of a name that is taken there is asked. */
  async transfer(kind: "move" | "copy", entries: readonly Entry[], destination: string): Promise<void> {
    await this.reporting(async () => {
      for (const part of (await planTransfer(entries, destination)) ?? []) {
        const sources = part.things.map(({ path }) => path);
        const wanted: WantedTask = { kind, sources, destination, onConflict: part.onConflict };
        const task = kind === "move" ? await this.change(part.things, wanted) : await this.run(wanted);
        if (task) this.tell(task, kind === "move" ? "files.moved" : "files.copied");
        await refreshFolder(this.client, destination);
      }
    });
  }

  /** Runs a task, and tells what came of it. */
  async runAndTell(wanted: WantedTask, done: Done): Promise<void> {
    const task = await this.run(wanted);
    if (task) this.tell(task, done);
    if (wanted.destination) await refreshFolder(this.client, wanted.destination);
  }

  /** A task that takes entries away from their folders, which shows at once. */
  private async change(entries: readonly Entry[], wanted: WantedTask): Promise<Task | null> {
    const gone = new Set(entries.map(({ path }) => path));
    const folders = new Set(entries.map(({ path }) => parentPath(path)));
    let task: Task | null = null;
    const takeAway: Change = (all) => all.filter(({ path }) => !gone.has(path));
    await this.showing([...folders], takeAway, async () => {
      task = await this.run(wanted);
      return task?.state === "done";
    });
    return task;
  }

  /** Shows a change of folders until the work for it has ended, and what the server has then. */
  private async showing(folders: readonly string[], change: Change, work: () => Promise<boolean>): Promise<void> {
    const end = showChange(folders, change);
    const changed = (list?: FolderList) => list && { ...list, entries: change(list.entries) };
    if (!(await work())) end();
    // A folder that is not looked at any more is not listed anew.
    else for (const one of folders) this.client.setQueriesData({ queryKey: [...keys.folder(one), "pages"] }, changed);
    for (const folder of folders) await refreshFolder(this.client, folder);
    end();
  }

  private async run(wanted: WantedTask): Promise<Task | null> {
    let task: Task | null = null;
    await this.reporting(async () => {
      task = await runTask(this.client, wanted);
    });
    if (task && (task as Task).state === "failed") {
      showToast({ text: failureText(this.t, task), tone: "danger" });
    }
    return task;
  }

  private tell(task: Task, done: Done): void {
    const [first] = task.skipped;
    if (first) {
      const reason = refusalText(this.t, { ...first, message: first.reason });
      showToast({ text: this.t("files.skipped", { count: task.skippedCount, reason }), tone: "danger" });
    } else if (task.state === "done") {
      showToast({ text: this.t(done, { count: task.sourceCount }) });
    }
  }

  async reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      showToast({ text: this.t(sentenceKey(error)), tone: "danger" });
    }
  }
}

/** The identifiers of the items that a deletion put into the bin: the latest ones from the paths of its sources. */
async function binIdsOf(entries: readonly Entry[], deletion: Task): Promise<string[]> {
  const wanted = new Set(entries.map(({ path }) => path));
  const ids: string[] = [];
  for await (const { entries: items } of pagesOf((query) => answerOf(v2.GET("/api/v2/bin", { params: { query } })))) {
    for (const item of items) {
      // The list begins with the latest, so that the first of a path is the one just deleted.
      if (wanted.delete(item.path)) ids.push(item.id);
      if (item.deletedAt < deletion.createdAt) return ids;
    }
    if (wanted.size === 0) break;
  }
  return ids;
}

/** Asks what happens to names that are taken at the destination; null where nothing is to be done. */
async function planTransfer(entries: readonly Entry[], destination: string): Promise<Part<Entry>[] | null> {
  const there = await entriesByName(destination);
  return askForParts(entries, (entry) => {
    const other = there.get(entry.name);
    // A copy into the same folder gets another name; there is no question.
    if (!other || parentPath(entry.path) === destination) return null;
    return { folder: destination, name: entry.name, there: itemOf(other), coming: itemOf(entry) };
  });
}
