import { hasEnded, type Job, newId, type UploadFile } from "./model";
import { DATABASE } from "./unfinished";

/** The stored fields of a job and of a file; the others concern this page only. */
export type KeptJob = Omit<Job, "files" | "problem" | "isPaused" | "doneCount" | "doneBytes" | "movedBytes">;
export type KeptFile = Omit<UploadFile, "file" | "state" | "sent" | "reason" | "failures" | "isUncertain">;

const VERSION = 1;

/** Unfinished uploads, as this browser remembers them over a reload or crash. Where it cannot, nothing is remembered. */
export class Memory {
  private opened: Promise<IDBDatabase | null> | null = null;

  async load(account: string): Promise<{ job: KeptJob; files: KeptFile[] }[]> {
    const database = await this.database();
    if (!database) return [];
    const transaction = database.transaction(["jobs", "files"]);
    const jobs = await answer<KeptJob[]>(transaction.objectStore("jobs").index("account").getAll(account));
    const files = transaction.objectStore("files").index("job");
    return Promise.all(jobs.map(async (job) => ({ job, files: await answer<KeptFile[]>(files.getAll(job.id)) })));
  }

  async add(job: Job): Promise<void> {
    await this.change((jobs, files) => {
      jobs.put(keptJob(job));
      for (const file of job.files) if (!hasEnded(file)) files.put(keptFile(file));
    });
  }

  async putJob(job: Job): Promise<void> {
    await this.change((jobs) => jobs.put(keptJob(job)));
  }

  async putFile(file: UploadFile): Promise<void> {
    await this.change((_, files) => files.put(keptFile(file)));
  }

  async removeFiles(ids: readonly string[]): Promise<void> {
    await this.change((_, files) => {
      for (const id of ids) files.delete(id);
    });
  }

  async removeJob(job: Job): Promise<void> {
    await this.change((jobs, files) => {
      jobs.delete(job.id);
      for (const { id } of job.files) files.delete(id);
    });
  }

  private async change(make: (jobs: IDBObjectStore, files: IDBObjectStore) => void): Promise<void> {
    const database = await this.database();
    if (!database) return;
    let transaction: IDBTransaction;
    try {
      transaction = database.transaction(["jobs", "files"], "readwrite");
    } catch {
      return; // It is closing with its page.
    }
    make(transaction.objectStore("jobs"), transaction.objectStore("files"));
    await new Promise<void>((resolve) => {
      // Uploads go on also where the browser has no room to remember them.
      transaction.oncomplete = transaction.onabort = () => resolve();
    });
  }

  private database(): Promise<IDBDatabase | null> {
    this.opened ??= open().catch(() => null);
    return this.opened;
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("jobs", { keyPath: "id" }).createIndex("account", "account");
    request.result.createObjectStore("files", { keyPath: "id" }).createIndex("job", "job");
  };
  return answer(request);
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function keptJob(job: Job): KeptJob {
  const { id, account, title, destination, createdAtMs, tab, handles, folders, totalCount, totalBytes } = job;
  return { id, account, title, destination, createdAtMs, tab, handles, folders, totalCount, totalBytes };
}

function keptFile(file: UploadFile): KeptFile {
  const { id, job, folder, name, size, modifiedMs, within, onConflict, url } = file;
  return { id, job, folder, name, size, modifiedMs, within, onConflict, url };
}

const PREFIX = "coffer-uploads-";

/** This tab, for the others: what it works on is not theirs. */
export const OWN_TAB = newId();

/** On pages that are not secure a browser has no locks; nothing goes on by itself there, so that nothing needs one. */
const locks = (navigator as { locks?: LockManager }).locks;

// Held as long as the tab is there, however it ends.
void locks?.request(PREFIX + OWN_TAB, () => new Promise(() => {}));

/** The tabs of this browser that are open. */
export async function aliveTabs(): Promise<Set<string>> {
  const held = (await locks?.query())?.held ?? [];
  return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}
