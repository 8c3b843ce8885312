import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as Hub from "./hub";

vi.mock("./worker?sharedworker&url", () => ({ default: "/assets/worker.js" }));

/** One end of a channel, which keeps what is said at it. */
class Port extends EventTarget {
  readonly said: unknown[] = [];
  onmessage = null;

  postMessage(message: unknown): void {
    this.said.push(message);
  }

  close(): void {}
}

class Channel {
  readonly port1 = new Port();
  readonly port2 = this.port1;
}

class Worker {
  readonly port = new Port();
}

const FOLLOW = { kind: "follow", account: "ann", folders: ["a"] };

let hub: typeof Hub;
/** Loads the code of the hub. */
let load: () => Promise<void>;
let served: Port[];

const away = () => Promise.reject(new TypeError("the server is away"));

function follower() {
  const heard: unknown[] = [];
  return { heard, onEvent: (event: unknown) => heard.push(event), onLive: (isLive: boolean) => heard.push(isLive) };
}

beforeEach(async () => {
  served = [];
  load = away;
  vi.useFakeTimers();
  vi.stubGlobal("MessageChannel", Channel);
  vi.resetModules();
  vi.doMock("./service", async () => {
    await load();
    return { serve: (port: Port) => served.push(port) };
  });
  hub = await import("./hub");
});
afterEach(() => {
  vi.doUnmock("./service");
  vi.resetModules();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("without a hub every folder is looked at by its window itself", async () => {
  const [one, other] = [follower(), follower()];
  const end = hub.follow("ann", ["a"], one);
  await vi.waitFor(() => expect(one.heard).toEqual([false]));
  end();
  hub.follow("ann", ["b"], other);
  expect(other.heard).toEqual([false]);
});

test("a hub that could not be loaded is tried again", async () => {
  const one = follower();
  hub.follow("ann", ["a"], one);
  await vi.waitFor(() => expect(one.heard).toEqual([false]));
  load = async () => {};
  vi.advanceTimersByTime(50_000);
  await vi.waitFor(() => expect(served).toHaveLength(1));
  expect(served[0]?.said).toContainEqual(FOLLOW);
});

test("a hub that was given up for another does not take that one away when it fails", async () => {
  const [one, other] = [follower(), follower()];
  let fail: (() => void) | undefined;
  load = () =>
    new Promise((_, reject) => {
      fail = () => reject(new TypeError("too late"));
    });
  hub.follow("ann", ["a"], one);
  await vi.waitFor(() => expect(fail).toBeDefined());
  vi.stubGlobal("SharedWorker", Worker);
  vi.advanceTimersByTime(60_000);
  expect(one.heard).toEqual([false]);
  fail?.();
  await vi.dynamicImportSettled();
  hub.follow("ann", ["b"], other);
  expect(other.heard).toEqual([]);
});
