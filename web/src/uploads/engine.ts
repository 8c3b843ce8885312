import type { Problem } from "~/api/problem";
import { Backoff } from "./backoff";
import { FolderMaker } from "./folders";
import { viewOf } from "./job-view";
import type { Memory } from "./memory";
import { hasEnded, type Job, type UploadFile } from "./model";
import { Rate } from "./rate";
import { type Ending, giveUp, Transfer, WITH_CREATION_BYTES } from "./transfer";
import type { UploadView } from "./view";

/** Browsers open six lines to a server, over all tabs: others must get through, and events need one. */
const MOST_AT_ONCE = 4;
const MOST_FAILURES = 6;
const SHOW_MS = 250;

/** What only the page around it can do. */
export type Surroundings = {
  show: (views: UploadView[]) => void;
  /** A folder has more in it than before. */
  changed: (folder: string) => void;
  /** Nobody is signed in any more. */
  sessionEnded: () => void;
  /** A name was taken meanwhile; answers by `Engine.resolve`. */
  taken: (job: Job, file: UploadFile) => void;
  isUploaded: (file: UploadFile) => Promise<boolean>;
};

/** Sends the files of all jobs of the account, some at once, until each is stored, skipped or refused for good. */
export class Engine {
  readonly jobs: Job[] = [];
  private readonly rates = new Map<string, Rate>();
  private readonly transfers = new Map<string, Transfer>();
  private readonly backoff = new Backoff(() => this.pump());
  private readonly folders = new FolderMaker((job) => this.around.changed(job.destination));
  private readonly memory: Memory;
  private readonly around: Surroundings;
  private isOffline = false;
  private isStopped = false;
  private showing: ReturnType<typeof setTimeout> | undefined;

  constructor(memory: Memory, around: Surroundings) {
    this.memory = memory;
    this.around = around;
  }

  add(job: Job): void {
    this.jobs.push(job);
    this.rates.set(job.id, new Rate());
    // Folders without a file have nothing else that would make them.
    if (job.files.length === 0) void this.makeFolders(job);
    this.update();
  }

  /** What was changed from outside is looked at again. */
  update(): void {
    this.show();
    this.pump();
  }

  /** Nothing more is sent; what is there stays. */
  stop(): void {
    this.isStopped = true;
    for (const transfer of this.transfers.values()) transfer.stop();
  }

  goOn(): void {
    this.isStopped = false;
    this.update();
  }

  pause(job: Job): void {
    job.isPaused = true;
    for (const { id } of job.files) this.transfers.get(id)?.stop();
    this.show();
  }

  /** Gives up what has not ended, and forgets the job. */
  async remove(job: Job): Promise<void> {
    this.jobs.splice(this.jobs.indexOf(job), 1);
    this.show();
    const open = job.files.filter((file) => !hasEnded(file));
    for (const file of open) {
      const transfer = this.transfers.get(file.id);
      file.state = "skipped";
      transfer?.stop();
      await transfer?.ending;
      if (file.url !== null) await giveUp(file.url);
    }
    await this.memory.removeJob(job);
    this.pump();
  }

  /** After the answer to a taken name: sent anew with it, or skipped. */
  resolve(file: UploadFile, choice: UploadFile["onConflict"] | "skip"): void {
    const job = this.jobs.find(({ id }) => id === file.job);
    if (!job || file.state !== "asking") return;
    // What the server has was begun for a name that must be free.
    if (file.url !== null) void giveUp(file.url);
    file.url = null;
    if (choice === "skip") this.settle(job, file, "skipped", "uploads.skippedTaken");
    else {
      file.onConflict = choice;
      file.state = "queued";
      void this.memory.putFile(file);
    }
    this.update();
  }

  private async makeFolders(job: Job): Promise<void> {
    const problem = await this.folders.make(job);
    job.problem = problem && `problem.${problem.code}`;
    await this.memory.removeJob(job);
    this.show();
  }

  private pump(): void {
    if (this.isStopped || this.backoff.isWaiting) return;
    for (const job of this.jobs) {
      if (job.isPaused) continue;
      for (const file of job.files) {
        if (this.transfers.size >= MOST_AT_ONCE) return;
        if (file.state === "queued" && file.file) this.send(job, file, file.file);
      }
    }
  }

  private send(job: Job, file: UploadFile, content: File): void {
    let hasBegun = false;
    const transfer = new Transfer(content, file, {
      onProgress: (sent) => {
        // The first call says where it goes on; only what follows has gone over the line now.
        if (hasBegun) job.movedBytes += Math.max(0, sent - file.sent);
        hasBegun = true;
        file.sent = sent;
        this.reached();
        this.show();
      },
      onUrl: (url) => {
        file.url = url;
        if (file.size > WITH_CREATION_BYTES) void this.memory.putFile(file);
      },
    });
    file.state = "sending";
    this.transfers.set(file.id, transfer);
    void this.run(job, file, transfer);
  }

  private async run(job: Job, file: UploadFile, transfer: Transfer): Promise<void> {
    const problem = await this.folders.make(job);
    if (problem) transfer.stop();
    else if (file.state === "sending" && !this.isStopped && !job.isPaused) transfer.start();
    else transfer.stop();
    const ending: Ending = problem ? { kind: "refused", problem } : await transfer.ending;
    this.transfers.delete(file.id);
    if (file.state === "sending") await this.finish(job, file, ending);
    this.update();
  }

  private async finish(job: Job, file: UploadFile, ending: Ending): Promise<void> {
    file.state = "queued";
    if (ending.kind === "stopped") return;
    if (ending.kind === "done") this.settle(job, file, "done", null);
    else await this.refused(job, file, ending.problem);
  }

  private async refused(job: Job, file: UploadFile, problem: Problem): Promise<void> {
    const { code, status } = problem;
    if (code === "offline") {
      await this.notReached(job, file);
    } else if (code === "unauthenticated") {
      this.stop();
      this.around.sessionEnded();
    } else if (code === "name_taken") {
      if (file.isUncertain && (await this.around.isUploaded(file))) this.settle(job, file, "done", null);
      else {
        file.state = "asking";
        this.around.taken(job, file);
      }
    } else if (file.url !== null && (status === 404 || status === 410)) {
      // The server kept it as long as it keeps such: it begins anew.
      file.url = null;
      file.sent = 0;
    } else if (mayPass(problem) && file.failures < MOST_FAILURES) {
      file.failures += 1;
      this.backoff.begin(problem.retryAfterSeconds ?? 0);
    } else {
      this.settle(job, file, "failed", `problem.${code}`);
    }
  }

  private async notReached(job: Job, file: UploadFile): Promise<void> {
    // A file that was changed or removed meanwhile looks like this too.
    if (file.file && !(await isReadable(file.file))) {
      this.settle(job, file, "failed", "uploads.unreadable");
      return;
    }
    if (file.url === null) {
      file.isUncertain = true;
      file.sent = 0;
    }
    this.isOffline = true;
    this.backoff.begin();
  }

  private settle(job: Job, file: UploadFile, state: "done" | "skipped" | "failed", reason: UploadFile["reason"]): void {
    file.state = state;
    file.reason = reason;
    if (state === "done") {
      job.doneCount += 1;
      job.doneBytes += file.size;
      file.sent = file.size;
      file.file = null;
      this.reached();
      this.around.changed(file.folder);
    }
    // What failed is kept, for another try; a page that is gone does not forget it.
    if (state !== "failed") void this.memory.removeFiles([file.id]);
    if (job.files.every(({ state: one }) => one === "done" || one === "skipped")) void this.memory.removeJob(job);
  }

  private reached(): void {
    this.isOffline = false;
    this.backoff.reset();
  }

  private show(): void {
    this.showing ??= setTimeout(() => {
      this.showing = undefined;
      const line = { isOffline: this.isOffline, isWaiting: this.backoff.isWaiting };
      const views = this.jobs.map((job) => {
        const rate = this.rates.get(job.id) ?? new Rate();
        rate.add(performance.now(), job.movedBytes);
        return viewOf(job, rate, line);
      });
      this.around.show(views);
      if (views.some(({ state }) => state === "running")) this.show();
    }, SHOW_MS);
  }
}

/** The server, or one behind it, may answer otherwise in a while. */
function mayPass({ status, code }: Problem): boolean {
  return status >= 500 ? code !== "over_quota" : status === 423 || status === 429 || code === "precondition_failed";
}

async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
