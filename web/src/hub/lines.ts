/** Browsers open six lines to a server, over all windows: one is for events, and two stay free for all else. */
export const MOST_UPLOADS = 3;

/** A window that was lost gives nothing back: what is not renewed for so long is free. */
const LEASE_MS = 120_000;

export type Lease = { renew: () => void; give: () => void };
type Place = { begin: () => void; timer: ReturnType<typeof setTimeout> | undefined };

/** Lines to the server that are lent, first come, first served. */
export class Lines {
  private readonly most: number;
  /** The first of them have a line, the others wait. */
  private readonly places: Place[] = [];

  constructor(most: number) {
    this.most = most;
  }

  /** Calls back, at once or later, when there is a line for it. */
  take(begin: () => void): Lease {
    const place: Place = { begin, timer: undefined };
    if (this.places.push(place) <= this.most) this.lend(place);
    return {
      renew: () => {
        if (place.timer !== undefined) this.watch(place);
      },
      give: () => this.end(place),
    };
  }

  private lend(place: Place): void {
    this.watch(place);
    place.begin();
  }

  private watch(place: Place): void {
    clearTimeout(place.timer);
    place.timer = setTimeout(() => this.end(place), LEASE_MS);
  }

  private end(place: Place): void {
    clearTimeout(place.timer);
    place.timer = undefined;
    const index = this.places.indexOf(place);
    if (index === -1) return;
    this.places.splice(index, 1);
    const next = index < this.most ? this.places[this.most - 1] : undefined;
    if (next) this.lend(next);
  }
}
