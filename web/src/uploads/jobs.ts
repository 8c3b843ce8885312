import { nameProblem } from "~/model/path";
import type { Chosen, ChosenFile } from "./chosen";
import type { KeptFile, KeptJob } from "./memory";
import { isSame, type Job, newId, type UploadFile } from "./model";
import type { Planned } from "./plan";

/** So many single files are shown each for itself; more, and folders, as one. */
const MOST_SINGLE = 8;

type Planning = { files: Planned[]; folders: string[] };
type Whose = { account: string; tab: string; destination: string; handles: Chosen["handles"] };

/** A group of files that is shown and cancelled together. */
export function jobsOf({ files, folders }: Planning, whose: Whose): Job[] {
  if (folders.length > 0 || files.length > MOST_SINGLE) return [jobOf(files, folders, whose)];
  return files.map((one) => jobOf([one], [], whose));
}

function jobOf(planned: readonly Planned[], folders: string[], whose: Whose): Job {
  const id = newId();
  const files = planned.map((one) => fileOf(one, id));
  const tops = new Set(planned.map(({ within }) => within[0]));
  const [top = null] = tops;
  return {
    ...whose,
    id,
    title: tops.size === 1 ? top : null,
    createdAtMs: Date.now(),
    handles: Object.fromEntries(Object.entries(whose.handles).filter(([name]) => tops.has(name))),
    folders,
    totalCount: files.length,
    totalBytes: files.reduce((sum, { size }) => sum + size, 0),
    files,
    problem: null,
    isPaused: false,
    doneCount: 0,
    doneBytes: 0,
    movedBytes: 0,
  };
}

function fileOf({ file, within, isUnreadable, folder, name, onConflict }: Planned, job: string): UploadFile {
  const wrong = nameProblem(name);
  const isSkipped = onConflict === "skip";
  return {
    id: newId(),
    job,
    folder,
    name,
    size: file.size,
    modifiedMs: file.lastModified,
    within,
    onConflict: isSkipped ? "fail" : onConflict,
    url: null,
    ...BEGINNING,
    file,
    ...(isSkipped && { state: "skipped", reason: "uploads.skippedTaken" }),
    ...(isUnreadable && { state: "failed", reason: "uploads.unreadable", file: null }),
    ...(wrong && { state: "failed", reason: wrong }),
  };
}

const BEGINNING = { file: null, state: "queued", sent: 0, reason: null, failures: 0, isUncertain: false } as const;

/** A job as it goes on after a reload. */
export function rememberedJob(kept: KeptJob, files: readonly KeptFile[]): Job {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return {
    ...kept,
    files: files.map((file) => ({ ...file, ...BEGINNING })),
    problem: null,
    isPaused: false,
    doneCount: kept.totalCount - files.length,
    doneBytes: kept.totalBytes - bytes,
    movedBytes: 0,
  };
}

/** Gives files that were chosen again to those that wait for them; the others of them are given back. */
export function takeAgain(
  jobs: readonly Job[],
  destination: string | null,
  chosen: readonly ChosenFile[],
): ChosenFile[] {
  const waiting = new Map<string, UploadFile[]>();
  for (const job of jobs) {
    if (destination !== null && job.destination !== destination) continue;
    for (const file of job.files) {
      if (file.file !== null || file.state !== "queued") continue;
      const key = file.within.join("/");
      waiting.set(key, [...(waiting.get(key) ?? []), file]);
    }
  }
  return chosen.filter(({ file, within }) => {
    const known = waiting.get(within.join("/"))?.find((one) => one.file === null && isSame(one, file, within));
    if (known) known.file = file;
    return !known;
  });
}
