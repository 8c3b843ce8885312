import { type DetailedError, Upload } from "tus-js-client";
import { csrfHeaders } from "~/api/client";
import { Problem, type ProblemBody } from "~/api/problem";
import { keptTime } from "~/model/moments";
import { at } from "~/platform/base";
import type { UploadFile } from "./model";

/** At most so many bytes come with the creation itself, which spares small files a request. */
export const WITH_CREATION_BYTES = 4 * 1024 * 1024;
/** The server answers for so much at a time: it keeps that for certain, however it ends. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** A line on which nothing moves for so long is given up, and tried again. */
const STALLED_MS = 60_000;

export type Ending = { kind: "done" } | { kind: "stopped" } | { kind: "refused"; problem: Problem };

type Handlers = {
  /** So many bytes are at the server, or on the way to it; the first call says where it goes on. */
  onProgress: (sent: number) => void;
  onUrl: (url: string) => void;
};

/** Sends one file, or what the server does not have of it yet. */
export class Transfer {
  private readonly upload: Upload;
  private settle: (ending: Ending) => void = () => {};
  private watch: ReturnType<typeof setTimeout> | undefined;
  private readonly size: number;
  readonly ending: Promise<Ending>;

  constructor(file: File, record: UploadFile, handlers: Handlers) {
    this.size = record.size;
    this.ending = new Promise((settle) => {
      this.settle = settle;
    });
    this.upload = new Upload(file, {
      // Without an endpoint one that cannot be gone on with is told, instead of begun anew.
      endpoint: record.url === null ? at("/api/v2/uploads") : null,
      uploadUrl: record.url,
      uploadSize: record.size,
      metadata: metadataOf(record),
      uploadDataDuringCreation: record.size <= WITH_CREATION_BYTES,
      chunkSize: CHUNK_BYTES,
      storeFingerprintForResuming: false,
      retryDelays: null,
      onBeforeRequest: (request) => {
        // Where the answer is lost, the next creation finds the upload that this one made.
        if (request.getMethod() === "POST") request.setHeader("Idempotency-Key", `${record.id}-${record.onConflict}`);
        for (const [name, value] of Object.entries(csrfHeaders())) request.setHeader(name, value);
      },
      onProgress: (sent) => {
        this.expectMore(sent);
        handlers.onProgress(sent);
      },
      onUploadUrlAvailable: () => {
        if (this.upload.url !== null) handlers.onUrl(new URL(this.upload.url, window.location.href).pathname);
      },
      onSuccess: () => this.end({ kind: "done" }),
      onError: (error) => this.end({ kind: "refused", problem: problemOf(error) }),
    });
  }

  start(): void {
    this.expectMore(0);
    this.upload.start();
  }

  stop(): void {
    void this.upload.abort();
    this.end({ kind: "stopped" });
  }

  private end(ending: Ending): void {
    clearTimeout(this.watch);
    this.settle(ending);
  }

  private expectMore(sent: number): void {
    clearTimeout(this.watch);
    // Once all is sent the server may take its time to bring it to where it belongs.
    if (sent >= this.size) return;
    this.watch = setTimeout(() => {
      void this.upload.abort();
      this.end({ kind: "refused", problem: Problem.offline("nothing moved") });
    }, STALLED_MS);
  }
}

function metadataOf({ name, folder, onConflict, modifiedMs }: UploadFile): Record<string, string> {
  const modified = keptTime(modifiedMs);
  return { filename: name, folder, onConflict, ...(modified && { modified: `${modified}Z` }) };
}

function problemOf(error: Error | DetailedError): Problem {
  const answer = "originalResponse" in error ? error.originalResponse : null;
  // Without an answer it was not reached; a file that can be read no more looks like that too, to the browser.
  if (!answer || answer.getStatus() === 0) return Problem.offline(error);
  let body: ProblemBody | undefined;
  try {
    body = JSON.parse(answer.getBody()) as ProblemBody;
  } catch {
    // HEAD has no body, and a proxy before the server has its own.
  }
  const retryAfter = answer.getHeader("Retry-After");
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "Retry-After": retryAfter };
  return Problem.of(new Response(null, { status: answer.getStatus(), headers }), body);
}

/** Deletes the server's part of the upload. If the request fails, the server deletes it within a week. */
export async function giveUp(url: string): Promise<void> {
  const headers = { ...csrfHeaders(), "Tus-Resumable": "1.0.0" };
  await fetch(url, { method: "DELETE", headers }).catch(() => {});
}
