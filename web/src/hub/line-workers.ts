import { takeLine } from "./hub";
import { MOST_UPLOADS } from "./lines";

/** Uploads what waits, each upload on a line that all windows share. */
export class LineWorkers {
  private readonly countWaiting: () => number;
  private readonly next: () => Promise<void> | null;
  /** Lines that are asked for or used, and those of them that are used. */
  private asked = 0;
  private used = 0;

  /** `next` begins an upload that waits, if one still does; its promise is kept when it has ended. */
  constructor(countWaiting: () => number, next: () => Promise<void> | null) {
    this.countWaiting = countWaiting;
    this.next = next;
  }

  /** To be called when more waits than before. */
  pump(): void {
    while (this.asked < MOST_UPLOADS && this.asked - this.used < this.countWaiting()) {
      this.asked += 1;
      void this.serve();
    }
  }

  private async serve(): Promise<void> {
    const give = await takeLine();
    this.used += 1;
    const work = this.next();
    try {
      await work;
    } finally {
      give();
      this.asked -= 1;
      this.used -= 1;
    }
    if (work) this.pump();
  }
}
