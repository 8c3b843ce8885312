import { hasEnded, type Job, type UploadFile } from "./model";
import type { UploadState, UploadView } from "./view";

const SHOW_MS = 250;

/** Shows jobs at a pace that people can read, however often they change. */
export class Display {
  private readonly rates = new WeakMap<Job, Rate>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly jobs: readonly Job[];
  private readonly line: Line;
  private readonly show: (views: UploadView[]) => unknown;

  constructor(jobs: readonly Job[], line: Line, show: (views: UploadView[]) => unknown) {
    this.jobs = jobs;
    this.line = line;
    this.show = show;
  }

  /** Soon, and again as long as something moves. */
  update(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const views = this.jobs.map((job) => viewOf(job, this.measured(job), this.line));
      this.show(views);
      if (views.some(({ state }) => state === "running")) this.update();
    }, SHOW_MS);
  }

  /** Cancels the next update. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private measured(job: Job): Rate {
    const rate = this.rates.get(job) ?? new Rate();
    this.rates.set(job, rate);
    rate.add(performance.now(), job.movedBytes);
    return rate;
  }
}

/** So many reasons are shown; of the others only how many there are. */
const MOST_LEFT = 20;

type Left = Pick<UploadFile, "name" | "reason">;
type Line = { readonly isOffline: boolean; readonly isWaiting: boolean };

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

/** So far back is looked: long enough to be calm, short enough to follow the line. */
const WINDOW_MS = 5_000;

/** How fast a count grows. */
export class Rate {
  private readonly samples: { atMs: number; count: number }[] = [];

  add(atMs: number, count: number): void {
    this.samples.push({ atMs, count });
    while (this.samples.length > 2 && atMs - (this.samples[0]?.atMs ?? 0) > WINDOW_MS) this.samples.shift();
  }

  /** 0 as long as it cannot be told. */
  perSecond(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.atMs <= first.atMs) return 0;
    return ((last.count - first.count) * 1000) / (last.atMs - first.atMs);
  }

  clear(): void {
    this.samples.length = 0;
  }
}
