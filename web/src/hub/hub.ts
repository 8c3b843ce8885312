import { workerScript } from "~/platform/trusted-types";
import type { Heard, Said } from "./service";
import type { Follower } from "./streams";
import workerUrl from "./worker?sharedworker&url";

/** Half of a lease, in pages whose timers are slowed down too. */
const RENEW_MS = 50_000;
/** Who does not answer within this is gone. */
const ANSWER_MS = 10_000;

type Following = { account: string; folders: readonly string[]; follower: Follower };

/** This window's way to what all windows share. */
class Hub {
  private port: MessagePort | null = null;
  private following: Following | null = null;
  private lastId = 0;
  /** The lines that are asked for, and those that are there. */
  private readonly lines = new Map<number, () => void>();
  private deadline: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.connect();
    setInterval(() => this.renew(), RENEW_MS);
    window.addEventListener("pagehide", () => this.say({ kind: "leave" }));
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.repeat();
    });
  }

  follow(account: string, folders: readonly string[], follower: Follower): () => void {
    const own: Following = { account, folders, follower };
    this.following = own;
    if (this.port) this.say({ kind: "follow", account, folders });
    else follower.onLive(false);
    return () => {
      if (this.following === own) this.following = null;
      // Who follows another folder does so at once, and then the stream goes on.
      setTimeout(() => this.following || this.say({ kind: "unfollow" }));
    };
  }

  takeLine(): Promise<() => void> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((settle) => {
      this.lines.set(id, () => settle(() => this.giveLine(id)));
      if (this.port) this.say({ kind: "take", id });
      else this.lines.get(id)?.();
    });
  }

  /** The worker may end without a word, with the process that it is in. */
  private renew(): void {
    clearTimeout(this.deadline);
    if (!this.port) {
      this.connectAnew();
      return;
    }
    this.deadline = setTimeout(() => this.connectAnew(), ANSWER_MS);
    this.say({ kind: "renew" });
  }

  private connectAnew(): void {
    this.following?.follower.onLive(false);
    this.connect();
    this.repeat();
  }

  private giveLine(id: number): void {
    this.lines.delete(id);
    this.say({ kind: "give", id });
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
    import("./service").then(
      ({ serve }) => serve(port2),
      () => {
        if (this.port === port1) this.doWithout();
      },
    );
    this.repeat();
  }

  /** The page is older than the server, or the line is cut: uploads go on, and lists look for changes themselves. */
  private doWithout(): void {
    this.port = null;
    this.following?.follower.onLive(false);
    for (const begin of this.lines.values()) begin();
  }

  private use(port: MessagePort): void {
    this.say({ kind: "leave" });
    this.port?.close();
    clearTimeout(this.deadline);
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<Heard>) => this.hear(data);
    port.addEventListener("close", () => {
      if (this.port === port) this.connectAnew();
    });
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
    if (message.kind === "here") clearTimeout(this.deadline);
    else if (message.kind === "line") this.lines.get(message.id)?.();
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
