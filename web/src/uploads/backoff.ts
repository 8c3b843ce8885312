import { serverIsReached, setReached, watchReach } from "~/api/reach";

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
