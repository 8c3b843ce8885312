import { type Line, viewOf } from "./job-view";
import type { Job } from "./model";
import { Rate } from "./rate";
import type { UploadView } from "./view";

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

  /** What is on its way to be shown is not, any more. */
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
