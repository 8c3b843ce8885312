import { askBeforeLeaving } from "~/platform/leaving";
import { Store } from "~/platform/store";
import type { Reason } from "./model";

/** How a job stands: `offline` and `waiting` go on by themselves, the two after it need somebody. */
export type UploadState = "running" | "offline" | "waiting" | "paused" | "needsLeave" | "needsFiles" | "ended";

/** A job as it is shown. */
export type UploadView = {
  id: string;
  title: string | null;
  destination: string;
  state: UploadState;
  totalCount: number;
  doneCount: number;
  bytesTotal: number;
  bytesDone: number;
  bytesPerSecond: number;
  secondsLeft: number | null;
  /** The first of those that were left out, or not stored. */
  left: { name: string; reason: Reason }[];
  leftCount: number;
  canRetry: boolean;
  /** Names of a folder are asked for, not of files. */
  isFolder: boolean;
};

/** The commands of jobs; the code behind them is loaded with the first job. */
export type UploadCommands = {
  pause(id: string): void;
  resume(id: string): void;
  retry(id: string): void;
  /** Gives it up, or forgets one that has ended. */
  cancel(id: string): void;
  /** Asks the browser for leave to read the files again. */
  allow(id: string): Promise<void>;
  /** Takes the files that were chosen again; false where none of them is one that is waited for. */
  giveFiles(id: string, files: Iterable<File>): boolean;
};

/** It goes on by itself, as long as the page stays. */
export function isUnderWay({ state }: UploadView): boolean {
  return state === "running" || state === "offline" || state === "waiting";
}

const views = new Store<readonly UploadView[]>([]);
let commands: UploadCommands | null = null;

export function showUploads(next: readonly UploadView[]): void {
  views.set(next);
  askBeforeLeaving(next.some(isUnderWay));
}

export function setUploadCommands(given: UploadCommands): void {
  commands = given;
}

/** Null as long as there was never an upload. */
export function uploadCommands(): UploadCommands | null {
  return commands;
}

export function useUploads(): readonly UploadView[] {
  return views.use();
}
