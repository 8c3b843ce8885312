import { hasEnded, type Job, type UploadFile } from "./model";
import type { Rate } from "./rate";
import type { UploadState, UploadView } from "./view";

/** So many reasons are shown; of the others only how many there are. */
const MOST_LEFT = 20;

type Left = Pick<UploadFile, "name" | "reason">;
export type Line = { readonly isOffline: boolean; readonly isWaiting: boolean };

function stateOf(job: Job, line: Line): UploadState {
  if (job.files.every(hasEnded)) return "ended";
  if (job.isPaused) return "paused";
  const open = job.files.filter((file) => !hasEnded(file));
  if (open.every(({ file }) => file === null)) {
    const areHandled = open.every(({ within }) => job.handles[within[0] ?? ""] !== undefined);
    return areHandled ? "needsLeave" : "needsFiles";
  }
  if (line.isOffline) return "offline";
  return line.isWaiting ? "waiting" : "running";
}

function isLeft(file: UploadFile): boolean {
  return file.state === "skipped" || file.state === "failed";
}

/** How a job is shown. */
export function viewOf(job: Job, rate: Rate, line: Line): UploadView {
  const state = stateOf(job, line);
  const left: Left[] = job.files.filter(isLeft);
  if (job.problem) left.push({ name: job.title ?? "", reason: job.problem });
  const bytesDone = job.doneBytes + job.files.reduce((sum, file) => sum + (hasEnded(file) ? 0 : file.sent), 0);
  const bytesLeft = job.files.reduce((sum, file) => sum + (hasEnded(file) ? 0 : file.size - file.sent), 0);
  const bytesPerSecond = state === "running" ? rate.perSecond() : 0;
  return {
    id: job.id,
    title: job.title,
    destination: job.destination,
    state,
    totalCount: job.totalCount,
    doneCount: job.doneCount,
    bytesTotal: bytesDone + bytesLeft,
    bytesDone,
    bytesPerSecond,
    secondsLeft: bytesPerSecond > 0 ? bytesLeft / bytesPerSecond : null,
    left: left.slice(0, MOST_LEFT).map(({ name, reason }) => ({ name, reason: reason ?? "problem.failed" })),
    leftCount: left.length,
    canRetry: job.files.some((file) => file.state === "failed" && file.file !== null),
    isFolder: job.files.some(({ within }) => within.length > 1),
  };
}
