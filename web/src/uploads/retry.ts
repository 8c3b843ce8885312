import type { Problem } from "~/api/problem";
import { serverIsReached, setReached, watchReach } from "~/api/reach";
import type { UploadFile } from "./model";

const FIRST_MS = 500;
const LAST_MS = 10_000;

/** When to try again what may pass: later each time, and at once when the server is back. */
export class Backoff {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tries = 0;
  /** The server was not reached lately. */
  isOffline = false;
  private readonly again: () => void;

  constructor(again: () => void) {
    this.again = again;
    watchReach(() => {
      if (serverIsReached() && this.isOffline && this.isWaiting) this.end();
    });
  }

  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  begin(leastSeconds = 0): void {
    if (this.isWaiting) return;
    const wait = Math.max(Math.min(FIRST_MS * 2 ** this.tries, LAST_MS), leastSeconds * 1000);
    this.tries += 1;
    this.timer = setTimeout(() => this.end(), wait);
  }

  beginOffline(): void {
    this.isOffline = true;
    setReached(false);
    this.begin();
  }

  /** The server was reached. */
  reset(): void {
    this.isOffline = false;
    this.tries = 0;
  }

  private end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.again();
  }
}

const MOST_FAILURES = 6;

/** The reaction to a request that did not reach the server or was refused. */
type Verdict = "offline" | "unreadable" | "signIn" | "taken" | "anew" | "again" | "fail";

export async function verdictOn(problem: Problem, file: UploadFile): Promise<Verdict> {
  const { code, status } = problem;
  // A file that was changed or removed meanwhile looks like a server that is not reached.
  if (code === "offline") return file.file && !(await isReadable(file.file)) ? "unreadable" : "offline";
  if (code === "unauthenticated") return "signIn";
  if (code === "name_taken") return "taken";
  // The server kept it as long as it keeps such.
  if (file.url !== null && (status === 404 || status === 410)) return "anew";
  return mayPass(problem) && file.failures < MOST_FAILURES ? "again" : "fail";
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
