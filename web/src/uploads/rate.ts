/** So far back is looked: long enough to be calm, short enough to follow the line. */
const WINDOW_MS = 5_000;

/** How fast a count grows. */
export class Rate {
  private readonly samples: { atMs: number; count: number }[] = [];

  add(atMs: number, count: number): void {
    this.samples.push({ atMs, count });
    while (this.samples.length > 2 && atMs - (this.samples[0]?.atMs ?? 0) > WINDOW_MS) this.samples.shift();
  }

  /** 0 as long as it cannot be told. */
  perSecond(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.atMs <= first.atMs) return 0;
    return ((last.count - first.count) * 1000) / (last.atMs - first.atMs);
  }

  clear(): void {
    this.samples.length = 0;
  }
}
