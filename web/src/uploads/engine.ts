import type { Problem } from "~/api/problem";
import { LineWorkers } from "~/hub/line-workers";
import { MOST_UPLOADS } from "~/hub/lines";
import { Display } from "./display";
import { FolderMaker } from "./folders";
import type { Memory } from "./memory";
import { countDone, hasEnded, type Job, type UploadFile } from "./model";
import { Backoff, verdictOn } from "./retry";
import { type Ending, giveUp, Transfer, WITH_CREATION_BYTES } from "./transfer";
import type { UploadView } from "./view";

/** The first files that may be sent; more than there are lines are never asked for. */
type Waiting = { job: Job; file: UploadFile; content: File };

/** Sends the files of all jobs of the account, some at once, until each is stored, skipped or refused for good. */
export class Engine {
  readonly jobs: Job[] = [];
  private readonly transfers = new Map<string, Transfer>();
  private readonly backoff = new Backoff(() => this.workers.pump());
  private readonly workers = new LineWorkers(
    () => this.waiting().length,
    () => this.sendNext(),
  );
  private readonly folders = new FolderMaker((job) => this.around.changed(job.destination));
  private readonly memory: Memory;
  private readonly around: Surroundings;
  private isStopped = false;
  private readonly display: Display;

  constructor(memory: Memory, around: Surroundings) {
    this.memory = memory;
    this.around = around;
    // By then another account may be signed in.
    this.display = new Display(this.jobs, this.backoff, (views) => !this.isStopped && around.show(views));
  }

  add(job: Job): void {
    this.jobs.push(job);
    // Folders without a file to send have nothing else that would make them.
    if (job.files.every(hasEnded)) void this.makeFolders(job);
    this.update();
  }

  /** Reads the jobs again after a change from outside. */
  update(): void {
    this.display.update();
    this.workers.pump();
  }

  /** Stops sending; stored parts stay. */
  stop(): void {
    this.isStopped = true;
    for (const transfer of this.transfers.values()) transfer.stop();
    this.display.stop();
  }

  goOn(): void {
    this.isStopped = false;
    this.update();
  }

  pause(job: Job): void {
    job.isPaused = true;
    for (const { id } of job.files) this.transfers.get(id)?.stop();
    this.display.update();
  }

  /** Gives up what has not ended, and forgets the job. */
  async remove(job: Job): Promise<void> {
    this.jobs.splice(this.jobs.indexOf(job), 1);
    this.display.update();
    const open = job.files.filter((file) => !hasEnded(file));
    for (const file of open) {
      const transfer = this.transfers.get(file.id);
      file.state = "skipped";
      transfer?.stop();
      await transfer?.ending;
      if (file.url !== null) await giveUp(file.url);
    }
    await this.memory.removeJob(job);
    this.workers.pump();
  }

  /** After the answer to a taken name: sent anew with it, or skipped. */
  resolve(file: UploadFile, choice: UploadFile["onConflict"] | "skip"): void {
    const job = this.jobs.find(({ id }) => id === file.job);
    if (!job || file.state !== "asking") return;
    // The server's upload was begun for a name that had to be free.
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
    this.display.update();
  }

  private waiting(): Waiting[] {
    if (this.isStopped || this.backoff.isWaiting) return [];
    const found: Waiting[] = [];
    for (const job of this.jobs) {
      if (job.isPaused) continue;
      for (const file of job.files) {
        if (file.state === "queued" && file.file) found.push({ job, file, content: file.file });
        if (found.length === MOST_UPLOADS) return found;
      }
    }
    return found;
  }

  private sendNext(): Promise<void> | null {
    const [next] = this.waiting();
    return next ? this.send(next) : null;
  }

  private send({ job, file, content }: Waiting): Promise<void> {
    let hasBegun = false;
    const transfer = new Transfer(content, file, {
      onProgress: (sent) => {
        // The first call says where it goes on; only what follows has gone over the line now.
        if (hasBegun) job.movedBytes += Math.max(0, sent - file.sent);
        hasBegun = true;
        file.sent = sent;
        this.backoff.reset();
        this.display.update();
      },
      onUrl: (url) => {
        file.url = url;
        if (file.size > WITH_CREATION_BYTES) void this.memory.putFile(file);
      },
    });
    file.state = "sending";
    this.transfers.set(file.id, transfer);
    return this.run(job, file, transfer);
  }

  private async run(job: Job, file: UploadFile, transfer: Transfer): Promise<void> {
    const problem = await this.folders.make(job);
    if (!problem && file.state === "sending" && !this.isStopped && !job.isPaused) transfer.start();
    else transfer.stop();
    const ending: Ending = problem ? { kind: "refused", problem } : await transfer.ending;
    this.transfers.delete(file.id);
    if (file.state === "sending") await this.finish(job, file, ending);
    this.update();
  }

  private async finish(job: Job, file: UploadFile, ending: Ending): Promise<void> {
    if (ending.kind === "done") this.settle(job, file, "done", null);
    else if (ending.kind === "refused") await this.refused(job, file, ending.problem);
    if (file.state === "sending") file.state = "queued";
  }

  private async refused(job: Job, file: UploadFile, problem: Problem): Promise<void> {
    const verdict = await verdictOn(problem, file);
    if (file.state !== "sending") return;
    switch (verdict) {
      case "offline":
        this.backoff.beginOffline();
        file.isUncertain ||= file.url === null;
        if (file.url === null) file.sent = 0;
        return;
      case "signIn":
        this.stop();
        return this.around.sessionEnded();
      case "taken":
        return this.taken(job, file);
      case "anew":
        file.url = null;
        file.sent = 0;
        return;
      case "again":
        file.failures += 1;
        return this.backoff.begin(problem.retryAfterSeconds ?? 0);
      case "unreadable":
        return this.settle(job, file, "failed", "uploads.unreadable");
      case "fail":
        return this.settle(job, file, "failed", `problem.${problem.code}`);
    }
  }

  private async taken(job: Job, file: UploadFile): Promise<void> {
    file.state = "asking";
    // By this very file, where the answer to its creation was lost.
    const isThere = file.isUncertain && (await this.around.isUploaded(file).catch(() => false));
    if (isThere) this.settle(job, file, "done", null);
    else this.around.taken(file);
  }

  private settle(job: Job, file: UploadFile, state: "done" | "skipped" | "failed", reason: UploadFile["reason"]): void {
    file.state = state;
    file.reason = reason;
    if (state === "done") {
      countDone(job, file);
      this.backoff.reset();
      this.around.changed(file.folder);
    }
    // Failed files are kept for another try, also after a reload.
    if (state !== "failed") void this.memory.removeFiles([file.id]);
    if (job.files.every(({ state: one }) => one === "done" || one === "skipped")) void this.memory.removeJob(job);
  }
}

/** The callbacks into the page. */
export type Surroundings = {
  show: (views: UploadView[]) => void;
  /** A folder has more in it than before. */
  changed: (folder: string) => void;
  /** Nobody is signed in any more. */
  sessionEnded: () => void;
  /** A name was taken meanwhile; answers by `Engine.resolve`. */
  taken: (file: UploadFile) => void;
  isUploaded: (file: UploadFile) => Promise<boolean>;
};
