import type { QueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { problemText, refusalText } from "~/api/problem";
import { refreshFolder } from "~/api/refresh";
import { askForParts, entriesByName, itemOf, type Part } from "~/conflicts/questions";
import { laterModule } from "~/controls/later";
import { showToast } from "~/controls/toast-store";
import { type Translate, withPageTexts } from "~/messages";
import type { Entry, FolderList } from "~/model/entries";
import { childPath, parentPath } from "~/model/path";
import { type Change, showChange } from "~/model/pending-changes";
import { failureText, runTask, type Task, type WantedTask } from "~/model/tasks";

const loadDeletion = laterModule(() => withPageTexts(() => import("./deletion")));

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
        const reason = problemText(this.t, error);
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
    await this.reporting(async () => {
      const { binnedText, ownerOf, restoreBinned } = await loadDeletion();
      const owner = entries.map((entry) => ownerOf(this.client, entry)).find((one) => one !== null) ?? null;
      const restore = async () => {
        this.tell(await restoreBinned(this.client, entries, task), "files.restored");
        for (const folder of new Set(entries.map(({ path }) => parentPath(path)))) {
          await refreshFolder(this.client, folder);
        }
      };
      // What lies in the bin of somebody else is theirs to bring back.
      const undo = { text: this.t("deletion.undo"), run: () => void this.reporting(restore) };
      showToast({ text: binnedText(this.t, entries, owner), action: owner === null ? undo : null });
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
      showToast({ text: problemText(this.t, error), tone: "danger" });
    }
  }
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
