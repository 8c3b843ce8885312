import type { QueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { fetchAll } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import { askAboutTaken, type Conflict, entriesByName, itemOf } from "~/conflicts/questions";
import type { Entry, FolderList } from "~/model/entries";
import { locationOf, locationsQuery } from "~/model/locations";
import { childPath } from "~/model/path";
import { pendingChanges, withChanges } from "~/model/pending-changes";
import type { Chosen, ChosenFile } from "./chosen";
import type { OnConflict, UploadFile } from "./model";

export type Planned = ChosenFile & { folder: string; name: string; onConflict: OnConflict | "skip" };
type Listing = Map<string, Entry>;

/** Where each file goes, and what happens to a taken name: asked where that shows before anything is sent. */
export class Plan {
  /** Folders whose content is known; all others are not there. */
  private readonly listings = new Map<string, Listing>();
  /** Other names of folders whose own was taken, by the first name of `within`; null for those that are skipped. */
  private readonly tops = new Map<string, string | null>();
  /** Those that were asked for, of folders in `listings`. */
  private readonly composed = new Map<string, Map<string, string>>();
  private readonly chosen: Chosen;
  private readonly destination: string;

  constructor(chosen: Chosen, destination: string) {
    this.chosen = chosen;
    this.destination = destination;
  }

  /** Null where it is cancelled. */
  async make(client: QueryClient): Promise<{ files: Planned[]; folders: string[] } | null> {
    const root = cachedListing(client, this.destination) ?? (await entriesByName(this.destination));
    this.listings.set("", root);
    if (!(await this.chooseTops(root))) return null;
    const folders = this.chosen.folders.filter(([top]) => top !== undefined && this.tops.get(top) !== null);
    for (const within of folders) await this.look(within);
    const files = this.chosen.files
      .filter(({ within }) => within.length === 1 || this.tops.get(within[0] ?? "") !== null)
      .map(
        (one): Planned => ({
          ...one,
          folder: this.pathOf(one.within.slice(0, -1)),
          name: this.nameOf(one.within),
          onConflict: "fail",
        }),
      );
    if (!(await this.chooseFiles(files))) return null;
    return { files, folders: folders.map((within) => this.pathOf(within)) };
  }

  /** The bytes that are freed where files are replaced. */
  replacedBytes(files: readonly Planned[]): number {
    return files.reduce((sum, one) => sum + (one.onConflict === "replace" ? (this.takenBy(one)?.size ?? 0) : 0), 0);
  }

  /** A folder goes into one of its name; where a file has it, that is a question. */
  private async chooseTops(root: Listing): Promise<boolean> {
    const taken = this.chosen.folders.flatMap(([top, ...rest]) => {
      const there = top === undefined || rest.length > 0 ? undefined : root.get(this.nameOf([top]));
      return top !== undefined && there && !there.isDirectory ? [{ top, there }] : [];
    });
    const choices = await askAboutTaken(
      taken.map(({ top, there }) => ({
        folder: this.destination,
        name: top,
        there: itemOf(there),
        coming: { isDirectory: true, size: null, modifiedAt: null, picture: null },
      })),
    );
    if (!choices) return false;
    for (const [index, { top }] of taken.entries()) {
      this.tops.set(top, choices[index] === "skip" ? null : freeName(top, root));
    }
    return true;
  }

  private async look(within: string[]): Promise<void> {
    const isRenamed = this.tops.has(within[0] ?? "");
    const parent = this.listings.get(within.slice(0, -1).join("/"));
    const isThere = !isRenamed && parent?.get(this.nameOf(within))?.isDirectory;
    if (isThere) this.listings.set(within.join("/"), await entriesByName(this.pathOf(within)));
  }

  private async chooseFiles(files: Planned[]): Promise<boolean> {
    const taken = files.flatMap((planned) => {
      const there = this.takenBy(planned);
      return there && !planned.isUnreadable ? [{ planned, there }] : [];
    });
    const choices = await askAboutTaken(taken.map(({ planned, there }) => conflictOf(planned, there)));
    if (!choices) return false;
    for (const [index, { planned }] of taken.entries()) planned.onConflict = choices[index] ?? "skip";
    return true;
  }

  private takenBy({ within, name }: Planned): Entry | undefined {
    return this.listings.get(within.slice(0, -1).join("/"))?.get(name);
  }

  private pathOf(within: readonly string[]): string {
    return within.reduce((path, _, index) => {
      const renamed = index === 0 ? this.tops.get(within[0] ?? "") : undefined;
      return childPath(path, renamed ?? this.nameOf(within.slice(0, index + 1)));
    }, this.destination);
  }

  /** As the server has the name already, or composed: macOS writes letters and their accents apart. */
  private nameOf(within: readonly string[]): string {
    const name = within.at(-1) ?? "";
    const folder = within.slice(0, -1).join("/");
    if (isPlain(name) || this.listings.get(folder)?.has(name)) return name;
    return this.composedNames(folder).get(name.normalize()) ?? name.normalize();
  }

  /** The names in a folder by their composed forms. */
  private composedNames(folder: string): Map<string, string> {
    let names = this.composed.get(folder);
    if (!names) {
      const listed = [...(this.listings.get(folder)?.keys() ?? [])];
      names = new Map(listed.map((name) => [name.normalize(), name]));
      this.composed.set(folder, names);
    }
    return names;
  }
}

const isPlain = (name: string) => /^[ -~]*$/.test(name);

function conflictOf({ folder, file }: { folder: string; file: File }, there: Entry): Conflict {
  const coming = { isDirectory: false, size: file.size, modifiedAt: new Date(file.lastModified), picture: file };
  return { folder, name: there.name, there: itemOf(there), coming };
}

/** As the server names a folder that is kept beside another: "a (2)". */
export function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = 2; ; number += 1) {
    const free = `${name} (${number})`;
    if (!taken.has(free)) return free;
  }
}

/** The entries that the page shows already, if they are all of the folder. */
function cachedListing(client: QueryClient, folder: string): Listing | null {
  const queryKey = [...keys.folder(folder), "pages"];
  for (const [, data] of client.getQueriesData<FolderList>({ queryKey })) {
    if (!data?.isWhole) continue;
    const entries = withChanges(pendingChanges.get(), folder, data.entries);
    return new Map(entries.map((entry) => [entry.name, entry]));
  }
  return null;
}

type Answer = (file: UploadFile, choice: "replace" | "keepBoth" | "skip") => void;

/** Asks about names that were free when it was looked, but not any more: those of a while in one question. */
export class TakenNames {
  private waiting: UploadFile[] = [];
  private isAsking = false;
  private readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }

  add(file: UploadFile): void {
    this.waiting.push(file);
    if (!this.isAsking) void this.askAll();
  }

  private async askAll(): Promise<void> {
    this.isAsking = true;
    while (this.waiting.length > 0) {
      const files = this.waiting;
      this.waiting = [];
      await this.ask(files).catch(() => {
        // Skipping loses nothing, and the list shows it.
        for (const file of files) this.answer(file, "skip");
      });
    }
    this.isAsking = false;
  }

  private async ask(files: readonly UploadFile[]): Promise<void> {
    const listings = new Map<string, Awaited<ReturnType<typeof entriesByName>>>();
    for (const folder of new Set(files.map((file) => file.folder))) listings.set(folder, await entriesByName(folder));
    const taken = files.flatMap((file) => {
      const there = listings.get(file.folder)?.get(file.name);
      return there && file.file
        ? [{ file, conflict: conflictOf({ folder: file.folder, file: file.file }, there) }]
        : [];
    });
    // A name that is free again by now goes on as it was; the server keeps both if it is taken once more.
    for (const file of files) if (!taken.some((one) => one.file === file)) this.answer(file, "keepBoth");
    const choices = await askAboutTaken(taken.map(({ conflict }) => conflict));
    for (const [index, { file }] of taken.entries()) this.answer(file, choices?.[index] ?? "skip");
  }
}

/** How much more fits into the account's own storage; null where there is no limit, or it lies elsewhere. */
export async function roomIn(client: QueryClient, destination: string): Promise<number | null> {
  const locations = await client.fetchQuery(locationsQuery);
  if (locationOf(locations, destination)?.kind !== "own") return null;
  const { storageUsed, storageReserved, storageLimit } = await answerOf(v2.GET("/api/v2/account"));
  return storageLimit === 0 ? null : storageLimit - storageUsed - storageReserved;
}

/** The bytes in the bin, which the server frees if room is needed. */
export async function bytesInBin(): Promise<number> {
  const items = await fetchAll((query) => answerOf(v2.GET("/api/v2/bin", { params: { query } })));
  return items.reduce((bytes, { size }) => bytes + (size ?? 0), 0);
}
