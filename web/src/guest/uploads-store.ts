import * as tus from "tus-js-client";
import { LineWorkers } from "~/hub/line-workers";
import { keptTime } from "~/model/moments";
import { SERVER } from "~/platform/base";
import { askBeforeLeaving } from "~/platform/leaving";
import { newId } from "~/uploads/model";

export type GuestUpload = {
  id: number;
  name: string;
  size: number;
  sent: number;
  phase: Phase;
  /** The status that the server refused it with; null where it was not reached, and while all is well. */
  status: number | null;
};

/** `key` is the upload's Idempotency-Key. */
type Running = { file: File; key: string; upload: tus.Upload | null; onEnd: () => void };

const RETRIES_MS = [0, 1_000, 3_000, 5_000, 10_000];

/** Sends files into the folder of a link, a few at once, and goes on where an earlier try ended. */
export class GuestUploadsStore {
  private readonly endpoint: string;
  private readonly running = new Map<number, Running>();
  private readonly listeners = new Set<() => void>();
  private uploads: readonly GuestUpload[] = [];
  private readonly workers = new LineWorkers(
    () => this.uploads.filter(isWaiting).length,
    () => this.sendNext(),
  );
  private lastId = 0;

  constructor(token: string) {
    this.endpoint = `${SERVER}/api/v2/guest/${encodeURIComponent(token)}/uploads`;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): readonly GuestUpload[] => this.uploads;

  add(files: readonly File[]): void {
    const added = files.map((file): GuestUpload => {
      this.lastId += 1;
      this.running.set(this.lastId, { file, key: newId(), upload: null, onEnd: () => {} });
      return { id: this.lastId, name: file.name, size: file.size, sent: 0, phase: "waiting", status: null };
    });
    this.set([...this.uploads, ...added]);
    this.workers.pump();
  }

  retry(id: number): void {
    this.change(id, { phase: "waiting", status: null });
    this.workers.pump();
  }

  /** The server deletes the sent part too. */
  async drop(id: number): Promise<void> {
    const entry = this.running.get(id);
    this.running.delete(id);
    this.set(this.uploads.filter((one) => one.id !== id));
    // If the request fails, the server deletes it after a week.
    await entry?.upload?.abort(true).catch(() => {});
    entry?.onEnd();
  }

  /** Begins the one that was added first of those that wait. */
  private sendNext(): Promise<void> | null {
    const next = this.uploads.find(isWaiting);
    const entry = next && this.running.get(next.id);
    if (!next || !entry) return null;
    this.change(next.id, { phase: "sending" });
    return new Promise((settle) => {
      entry.onEnd = settle;
      void this.start(next.id, entry);
    });
  }

  private async start(id: number, entry: Running): Promise<void> {
    const modified = keptTime(entry.file.lastModified);
    const upload = new tus.Upload(entry.file, {
      endpoint: this.endpoint,
      metadata: {
        filename: entry.file.name,
        onConflict: "keepBoth",
        ...(modified && { modified: `${modified}Z` }),
      },
      retryDelays: RETRIES_MS,
      removeFingerprintOnSuccess: true,
      // The link is part of what is gone on with: the same file goes to another link anew.
      fingerprint: async (file) => ["guest", this.endpoint, file.name, file.size, file.lastModified].join("|"),
      onBeforeRequest: (request) => {
        if (request.getMethod() === "POST") request.setHeader("Idempotency-Key", entry.key);
      },
      onProgress: (sent) => this.change(id, { sent }),
      onSuccess: () => this.end(id, { phase: "done", sent: entry.file.size }),
      onError: (error) => {
        const response = error instanceof tus.DetailedError ? error.originalResponse : null;
        this.end(id, { phase: "failed", status: response?.getStatus() ?? null });
      },
    });
    entry.upload = upload;
    const [previous] = await upload.findPreviousUploads();
    if (previous) upload.resumeFromPreviousUpload(previous);
    if (this.running.has(id)) upload.start();
  }

  private end(id: number, change: Partial<GuestUpload>): void {
    this.change(id, change);
    this.running.get(id)?.onEnd();
  }

  private change(id: number, change: Partial<GuestUpload>): void {
    this.set(this.uploads.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  private set(uploads: readonly GuestUpload[]): void {
    this.uploads = uploads;
    askBeforeLeaving(uploads.some(({ phase }) => phase === "waiting" || phase === "sending"));
    for (const listener of this.listeners) listener();
  }
}

export type Phase = "waiting" | "sending" | "done" | "failed";

function isWaiting({ phase }: GuestUpload): boolean {
  return phase === "waiting";
}
