import type { QueryClient } from "@tanstack/react-query";
import { v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { refreshSoon } from "~/api/refresh";
import { entriesByName } from "~/conflicts/questions";
import { keptTime } from "~/model/moments";
import { type Chosen, chosenByInput, fileOfHandle } from "./chosen";
import { Engine } from "./engine";
import { jobsOf, rememberedJob, takeAgain } from "./jobs";
import { aliveTabs, Memory, OWN_TAB } from "./memory";
import { hasEnded, type Job, type UploadFile } from "./model";
import { bytesInBin, Plan, roomIn, TakenNames } from "./plan";
import { markUnfinished } from "./unfinished";
import { setUploadCommands, showUploads, type UploadCommands } from "./view";

/** The size of an upload that does not fit, and the free room. */
export type NoRoom = { needed: number; free: number };

/** The uploads of one account in this tab. */
class AccountUploads implements UploadCommands {
  readonly account: string;
  private readonly client: QueryClient;
  private readonly memory = new Memory();
  private readonly engine: Engine;
  private readonly taken: TakenNames;

  constructor(account: string, client: QueryClient) {
    this.account = account;
    this.client = client;
    this.taken = new TakenNames((file, choice) => this.engine.resolve(file, choice));
    this.engine = new Engine(this.memory, {
      show: (views) => {
        showUploads(views);
        markUnfinished(
          account,
          views.some(({ state }) => state !== "ended"),
        );
      },
      changed: (folder) => {
        refreshSoon(client, keys.folder(folder));
        refreshSoon(client, keys.account);
      },
      // The answer is 401, which the client of the API knows what to do with.
      sessionEnded: () => void v2.GET("/api/v2/account"),
      taken: (file) => this.taken.add(file),
      isUploaded,
    });
  }

  /** The jobs that this browser remembers and no other tab works on. */
  async load(): Promise<void> {
    const alive = await aliveTabs();
    for (const { job: kept, files } of await this.memory.load(this.account)) {
      if (alive.has(kept.tab)) continue;
      const job = rememberedJob({ ...kept, tab: OWN_TAB }, files);
      if (files.length === 0 && kept.totalCount > 0) void this.memory.removeJob(job);
      else {
        void this.memory.putJob(job);
        await takeHandled(job, false);
        this.engine.add(job);
      }
    }
  }

  stop(): void {
    this.engine.stop();
    showUploads([]);
  }

  goOn(): void {
    this.engine.goOn();
  }

  /** Begins, once all is asked that there is to ask; what is too large for the storage is told. */
  async add(chosen: Chosen, destination: string): Promise<NoRoom | null> {
    const files = takeAgain(this.engine.jobs, destination, chosen.files);
    if (files.length < chosen.files.length) this.engine.update();
    if (files.length === 0 && (chosen.files.length > 0 || chosen.folders.length === 0)) return null;
    const plan = new Plan({ ...chosen, files }, destination);
    const planned = await plan.make(this.client);
    if (!planned) return null;
    const sent = planned.files.filter(({ onConflict }) => onConflict !== "skip");
    const bytes = sent.reduce((sum, { file }) => sum + file.size, 0) - plan.replacedBytes(sent);
    const noRoom = await this.lackOfRoom(bytes, destination);
    if (noRoom) return noRoom;
    this.forgetDone();
    const { account } = this;
    for (const job of jobsOf(planned, { account, tab: OWN_TAB, destination, handles: chosen.handles })) {
      await this.memory.add(job);
      this.engine.add(job);
    }
    return null;
  }

  pause(id: string): void {
    const job = this.jobOf(id);
    if (job) this.engine.pause(job);
  }

  resume(id: string): void {
    const job = this.jobOf(id);
    if (job) job.isPaused = false;
    this.engine.update();
  }

  retry(id: string): void {
    for (const file of this.jobOf(id)?.files ?? []) {
      if (file.state !== "failed" || file.file === null) continue;
      file.state = "queued";
      file.failures = 0;
      file.reason = null;
    }
    this.engine.update();
  }

  cancel(id: string): void {
    const job = this.jobOf(id);
    if (job) void this.engine.remove(job);
  }

  async allow(id: string): Promise<void> {
    const job = this.jobOf(id);
    if (!job) return;
    await takeHandled(job, true);
    // Files without a handle are requested again, as in browsers without handles.
    if (job.files.some(({ file, state }) => state === "queued" && file === null)) job.handles = {};
    this.engine.update();
  }

  giveFiles(id: string, files: Iterable<File>): boolean {
    const job = this.jobOf(id);
    const chosen = chosenByInput(files).files;
    const others = job ? takeAgain([job], null, chosen) : chosen;
    this.engine.update();
    return others.length < chosen.length;
  }

  private jobOf(id: string): Job | undefined {
    return this.engine.jobs.find((job) => job.id === id);
  }

  private forgetDone(): void {
    for (const job of [...this.engine.jobs]) {
      if (job.files.every(({ state }) => state === "done")) void this.engine.remove(job);
    }
  }

  /** Counts the bytes that earlier jobs have not sent yet; the server reserves them from the beginning of each upload. */
  private async lackOfRoom(bytes: number, destination: string): Promise<NoRoom | null> {
    const room = await roomIn(this.client, destination);
    if (room === null) return null;
    const queued = this.engine.jobs.flatMap(({ files }) =>
      files.filter((file) => !hasEnded(file) && file.url === null),
    );
    const needed = bytes + queued.reduce((sum, { size }) => sum + size, 0);
    if (needed <= room) return null;
    const free = room + (await bytesInBin());
    return needed <= free ? null : { needed: bytes, free: Math.max(0, free) };
  }
}

/** Reads the files again of which the browser kept a handle. */
async function takeHandled(job: Job, mayAsk: boolean): Promise<void> {
  for (const [top, handle] of Object.entries(job.handles)) {
    if (!(await isAllowed(handle, mayAsk))) continue;
    for (const file of job.files.filter(({ within, state }) => within[0] === top && state === "queued")) {
      const found = await fileOfHandle(handle, file.within);
      if (found) takeAgain([job], null, [{ file: found, within: file.within }]);
    }
  }
}

type Asking = FileSystemHandle & {
  queryPermission?: (mode: { mode: "read" }) => Promise<PermissionState>;
  requestPermission?: (mode: { mode: "read" }) => Promise<PermissionState>;
};

async function isAllowed(handle: Asking, mayAsk: boolean): Promise<boolean> {
  const state = mayAsk
    ? await handle.requestPermission?.({ mode: "read" })
    : await handle.queryPermission?.({ mode: "read" });
  return state === "granted";
}

/** True if a file exists although the answer to its creation was lost. */
async function isUploaded({ folder, name, size, modifiedMs }: UploadFile): Promise<boolean> {
  const there = (await entriesByName(folder)).get(name);
  if (there === undefined || there.size !== size) return false;
  const modified = keptTime(modifiedMs);
  return modified === undefined || there.modifiedAt === modified;
}

/** The uploads of all accounts that were signed in on this page. Those of an account wait until it signs in again. */
const known = new Map<string, Promise<AccountUploads>>();
let active: Promise<AccountUploads> | null = null;

/** The uploads of the account that is signed in; those of others stop. */
export async function activate(account: string, client: QueryClient): Promise<AccountUploads> {
  const before = await active;
  const wanted = known.get(account) ?? begin(account, client);
  known.set(account, wanted);
  active = wanted;
  const uploads = await wanted;
  if (before && before !== uploads) before.stop();
  setUploadCommands(uploads);
  uploads.goOn();
  return uploads;
}

/** Nobody is signed in. */
export async function deactivate(): Promise<void> {
  (await active)?.stop();
}

async function begin(account: string, client: QueryClient): Promise<AccountUploads> {
  const uploads = new AccountUploads(account, client);
  await uploads.load();
  return uploads;
}
