import { workerScript } from "~/platform/trusted-types";
import type { Heard, Said } from "./service";
import type { Follower } from "./streams";
import workerUrl from "./worker?sharedworker&url";

/** Half of a lease, in pages whose timers are slowed down too. */
const RENEW_MS = 50_000;

type Following = { account: string; folders: readonly string[]; follower: Follower };

/** This window's way to what all windows share. */
class Hub {
  private port: MessagePort | null = null;
  private following: Following | null = null;
  private lastId = 0;
  /** The lines that are asked for, and those that are there. */
  private readonly lines = new Map<number, () => void>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    this.connect();
    window.addEventListener("pagehide", () => this.say({ kind: "leave" }));
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.repeat();
    });
  }

  follow(account: string, folders: readonly string[], follower: Follower): () => void {
    const own: Following = { account, folders, follower };
    this.following = own;
    this.say({ kind: "follow", account, folders });
    return () => {
      if (this.following === own) this.following = null;
      // Who follows another folder does so at once, and then the stream goes on.
      setTimeout(() => this.following || this.say({ kind: "unfollow" }));
    };
  }

  takeLine(): Promise<() => void> {
    this.lastId += 1;
    const id = this.lastId;
    this.timer ??= setInterval(() => this.say({ kind: "renew" }), RENEW_MS);
    return new Promise((settle) => {
      this.lines.set(id, () => settle(() => this.giveLine(id)));
      this.say({ kind: "take", id });
    });
  }

  private giveLine(id: number): void {
    this.lines.delete(id);
    this.say({ kind: "give", id });
    if (this.lines.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private connect(): void {
    // Where there is none, as on phones, one window is seen at a time, and has it by itself.
    if (!("SharedWorker" in window)) {
      this.connectHere();
      return;
    }
    try {
      const worker = new SharedWorker(workerScript(workerUrl), { name: "coffer", type: "module" });
      worker.onerror = () => this.connectHere();
      this.use(worker.port);
    } catch {
      // The browser's settings forbid it.
      this.connectHere();
    }
  }

  private connectHere(): void {
    const { port1, port2 } = new MessageChannel();
    this.use(port1);
    void import("./service").then(({ serve }) => serve(port2));
    this.repeat();
  }

  private use(port: MessagePort): void {
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<Heard>) => this.hear(data);
  }

  /** Says to one who knows nothing yet what is wanted. */
  private repeat(): void {
    if (this.following) this.say({ kind: "follow", account: this.following.account, folders: this.following.folders });
    for (const id of this.lines.keys()) this.say({ kind: "take", id });
  }

  private say(message: Said): void {
    this.port?.postMessage(message);
  }

  private hear(message: Heard): void {
    if (message.kind === "line") this.lines.get(message.id)?.();
    else if (message.kind === "live") this.following?.follower.onLive(message.isLive);
    else this.following?.follower.onEvent(message.event);
  }
}

let hub: Hub | null = null;

function own(): Hub {
  hub ??= new Hub();
  return hub;
}

/** Follows the changes of folders, and the account's tasks and figures, until the function given back is called. One at a time. */
export function follow(account: string, folders: readonly string[], follower: Follower): () => void {
  return own().follow(account, folders, follower);
}

/** Waits for a line to the server that an upload may take; the function given back gives it to others. */
export function takeLine(): Promise<() => void> {
  return own().takeLine();
}
