import { type Lease, Lines, MOST_UPLOADS } from "./lines";
import { type Follower, OneStream, type ServerEvent } from "./streams";

/** What a window says, and what it hears. */
export type Said =
  | { kind: "follow"; account: string; folders: readonly string[] }
  | { kind: "unfollow" }
  | { kind: "take"; id: number }
  | { kind: "give"; id: number }
  /** It is there, and needs the lines that it has. */
  | { kind: "renew" }
  /** It is gone, for now at least. */
  | { kind: "leave" };
export type Heard =
  | { kind: "event"; event: ServerEvent }
  | { kind: "live"; isLive: boolean }
  | { kind: "line"; id: number }
  /** The answer to `renew`. */
  | { kind: "here" };

const streams = new Map<string, OneStream>();
const lines = new Lines(MOST_UPLOADS);

/** One window, at the other end of a port. */
class WindowThere {
  private readonly say: (message: Heard) => void;
  private readonly follower: Follower;
  private readonly leases = new Map<number, Lease>();
  private account: string | null = null;

  constructor(say: (message: Heard) => void) {
    this.say = say;
    this.follower = {
      onEvent: (event) => say({ kind: "event", event }),
      onLive: (isLive) => say({ kind: "live", isLive }),
    };
  }

  hear(message: Said): void {
    switch (message.kind) {
      case "follow":
        this.follow(message.account, message.folders);
        return;
      case "unfollow":
        this.unfollow();
        return;
      case "take":
        if (!this.leases.has(message.id)) {
          const begin = () => this.say({ kind: "line", id: message.id });
          this.leases.set(message.id, lines.take(begin));
        }
        return;
      case "give":
        this.leases.get(message.id)?.give();
        this.leases.delete(message.id);
        return;
      case "renew":
        for (const lease of this.leases.values()) lease.renew();
        this.say({ kind: "here" });
        return;
      case "leave":
        this.leave();
    }
  }

  leave(): void {
    this.unfollow();
    for (const lease of this.leases.values()) lease.give();
    this.leases.clear();
  }

  private follow(account: string, folders: readonly string[]): void {
    if (this.account !== account) this.unfollow();
    this.account = account;
    const stream = streams.get(account) ?? new OneStream();
    streams.set(account, stream);
    stream.follow(this.follower, folders);
  }

  private unfollow(): void {
    if (this.account === null) return;
    if (streams.get(this.account)?.leave(this.follower)) streams.delete(this.account);
    this.account = null;
  }
}

/** Serves the window at the other end, until that is gone. */
export function serve(port: MessagePort): void {
  const there = new WindowThere((message) => port.postMessage(message));
  port.onmessage = ({ data }: MessageEvent<Said>) => there.hear(data);
  // Not all browsers tell of it; a window that can says so itself.
  port.addEventListener("close", () => there.leave());
}
