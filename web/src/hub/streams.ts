import { at } from "~/platform/base";
/** An event of the server: the data that is stale. */
export type ServerEvent =
  | { kind: "folder"; path: string }
  | { kind: "task" }
  | { kind: "account" }
  /** Another account began or ended to share something with this one. */
  | { kind: "shared" | "unshared" }
  /** Anything may have changed. */
  | { kind: "resync" };

const KINDS = ["folder", "task", "account", "shared", "unshared", "resync"];

/** A server without events, or one that is restarted, is asked for them again after this. */
const LATER_MS = 30_000;
/** The server's limit for a stream. */
const MOST_FOLDERS = 16;
/** What proxies take as an address. */
const MOST_CHARACTERS = 4_000;

export function eventOf(kind: string, data: string): ServerEvent | null {
  switch (kind) {
    case "folder": {
      const { path } = JSON.parse(data) as { path: string };
      return { kind, path };
    }
    case "task":
    case "account":
    case "shared":
    case "unshared":
    case "resync":
      return { kind };
    default:
      return null;
  }
}

export type Follower = {
  onEvent: (event: ServerEvent) => void;
  /** True once the server reports changes of all of its folders. */
  onLive: (isLive: boolean) => void;
};

type Wish = { folders: readonly string[]; told: boolean | null };
type Source = { events: EventSource; folders: ReadonlySet<string>; state: "opening" | "open" | "failed" };

/** One stream of the server's events for all that follow some: a browser has six lines to a server. */
export class OneStream {
  /** Who follows what, those that came last at the end. */
  private readonly wishes = new Map<Follower, Wish>();
  private current: Source | null = null;
  /** Takes the place of the current one once it is open, so that nothing is missed. */
  private next: Source | null = null;
  /** Runs while something is to be asked for again. */
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Folders for which the server gave no stream a moment ago: they must not take it from the others. */
  private readonly refused = new Set<string>();

  /** From now on it hears of these folders instead of those before, and of the account's tasks and figures. */
  follow(follower: Follower, folders: readonly string[]): void {
    for (const folder of folders) this.refused.delete(folder);
    this.wishes.delete(follower);
    this.wishes.set(follower, { folders, told: null });
    if (covers(this.next ?? this.current, folders)) this.tell();
    else this.begin();
  }

  /** True if nobody is left. */
  leave(follower: Follower): boolean {
    this.wishes.delete(follower);
    if (this.wishes.size > 0) return false;
    clearTimeout(this.timer);
    this.current?.events.close();
    this.next?.events.close();
    this.current = this.next = null;
    return true;
  }

  private begin(): void {
    this.next?.events.close();
    const folders = this.lastWished();
    const events = new EventSource(addressOf(folders));
    const source: Source = { events, folders, state: "opening" };
    this.next = source;
    events.onopen = () => this.opened(source);
    events.onerror = () => this.failed(source);
    for (const kind of KINDS) {
      events.addEventListener(kind, (message) => this.pass(eventOf(kind, (message as MessageEvent<string>).data)));
    }
  }

  /** The folders of those that came last; the others look for themselves. */
  private lastWished(): Set<string> {
    const chosen = new Set<string>();
    for (const { folders } of this.newest()) {
      if (folders.some((folder) => this.refused.has(folder))) continue;
      const all = new Set([...chosen, ...folders]);
      const fits = all.size <= MOST_FOLDERS && addressOf(all).length <= MOST_CHARACTERS;
      if (fits || chosen.size === 0) for (const folder of folders) chosen.add(folder);
    }
    return chosen;
  }

  private newest(): Wish[] {
    return [...this.wishes.values()].reverse();
  }

  private opened(source: Source): void {
    if (source === this.next) {
      this.current?.events.close();
      this.current = source;
      this.next = null;
    }
    source.state = "open";
    this.tell();
  }

  private failed(source: Source): void {
    source.state = "failed";
    this.tell();
    // The browser comes again by itself, but not where it was refused.
    if (source.events.readyState !== EventSource.CLOSED) return;
    if (source === this.next) this.next = null;
    else this.current = null;
    this.timer ??= setTimeout(() => this.beginAgain(), LATER_MS);
    if (!this.next) this.beginWithoutOne(source);
  }

  private beginAgain(): void {
    this.timer = undefined;
    this.refused.clear();
    if (this.newest().some(({ folders }) => !covers(this.next ?? this.current, folders))) this.begin();
  }

  /** One folder may be the reason of a refusal, most likely what came last: the others that wait do without it. */
  private beginWithoutOne(source: Source): void {
    const waiting = this.newest().filter(({ folders }) => covers(source, folders) && !covers(this.current, folders));
    // If there is none to leave out, the same would be asked for again.
    const last = waiting.find(({ folders }) => folders.some((folder) => !this.refused.has(folder)));
    for (const folder of last?.folders ?? []) this.refused.add(folder);
    if (last && waiting.length > 1) this.begin();
  }

  private tell(): void {
    for (const [follower, wish] of this.wishes) {
      const isLive = this.isLive(wish);
      if (isLive === null || isLive === wish.told) continue;
      wish.told = isLive;
      follower.onLive(isLive);
    }
  }

  /** Null as long as it is about to be. */
  private isLive({ folders }: Wish): boolean | null {
    if (this.current?.state === "open" && covers(this.current, folders)) return true;
    return this.next?.state === "opening" && covers(this.next, folders) ? null : false;
  }

  private pass(event: ServerEvent | null): void {
    if (!event) return;
    for (const [follower, { folders }] of this.wishes) {
      if (event.kind !== "folder" || folders.includes(event.path)) follower.onEvent(event);
    }
  }
}

function covers(source: Source | null, folders: readonly string[]): boolean {
  return source !== null && folders.every((folder) => source.folders.has(folder));
}

function addressOf(folders: Iterable<string>): string {
  return at(`/api/v2/events?${new URLSearchParams([...folders].map((path) => ["folder", path]))}`);
}
