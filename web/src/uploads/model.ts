import type { ProblemCode } from "~/api/problem";

export type OnConflict = "fail" | "replace" | "keepBoth";
type FileState = "queued" | "sending" | "asking" | "done" | "skipped" | "failed";

/** Why a file is not stored, as a message's key. */
export type Reason =
  | `problem.${ProblemCode}`
  | "files.nameEmpty"
  | "files.nameForbidden"
  | "files.nameTooLong"
  | "uploads.skippedTaken"
  | "uploads.unreadable";

/** One file on its way. All but `file`, `state` and what follows is remembered over a reload. */
export type UploadFile = {
  id: string;
  job: string;
  /** The folder of the server that it goes into. */
  folder: string;
  name: string;
  size: number;
  modifiedMs: number;
  /** From what was chosen down to it: `["album", "2026", "a.jpg"]`. */
  within: string[];
  onConflict: OnConflict;
  /** Where the server keeps what it has of it. */
  url: string | null;

  /** Null after a reload, until it is there again. */
  file: File | null;
  state: FileState;
  sent: number;
  /** Why it is skipped or failed. */
  reason: Reason | null;
  /** Refusals that may pass, in a row. */
  failures: number;
  /** A creation was sent, and its answer never came: the file may be there. */
  isUncertain: boolean;
};

/** Files that were chosen together. */
export type Job = {
  id: string;
  account: string;
  /** A name, where it is one file or folder. */
  title: string | null;
  destination: string;
  createdAtMs: number;
  /** The tab that works on it. */
  tab: string;
  /** The browser's handles of the files, by the first name of `within`. */
  handles: Record<string, FileSystemHandle>;
  /** Folders to be made first. */
  folders: string[];
  totalCount: number;
  totalBytes: number;

  files: UploadFile[];
  /** Why its folders could not be made, where they are all of it. */
  problem: Reason | null;
  isPaused: boolean;
  doneCount: number;
  doneBytes: number;
  /** Bytes that went over the line, for the speed. */
  movedBytes: number;
};

export function newId(): string {
  // `randomUUID` is there on secure pages only.
  const words = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(words, (word) => word.toString(16).padStart(8, "0")).join("");
}

export function hasEnded({ state }: UploadFile): boolean {
  return state === "done" || state === "skipped" || state === "failed";
}

/** True if it is the same file as an earlier one, by all that a browser tells. */
export function isSame(known: UploadFile, file: File, within: readonly string[]): boolean {
  return (
    known.size === file.size &&
    known.modifiedMs === file.lastModified &&
    known.within.length === within.length &&
    known.within.every((name, index) => name === within[index])
  );
}

export function countDone(job: Job, file: UploadFile): void {
  job.doneCount += 1;
  job.doneBytes += file.size;
  file.sent = file.size;
  // Its content is not needed any more.
  file.file = null;
}
