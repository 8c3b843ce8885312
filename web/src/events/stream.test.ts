import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventOf, follow, type ServerEvent } from "./stream";

class Source extends EventTarget {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readonly url: string;
  readyState = 0;
  onopen = () => {};
  onerror = () => {};

  constructor(url: string) {
    super();
    this.url = url;
    Source.all.push(this);
  }

  close(): void {
    this.readyState = Source.CLOSED;
  }
}

beforeEach(() => {
  Source.all = [];
  vi.stubGlobal("EventSource", Source);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("an event says where to ask again", () => {
  expect(eventOf("folder", '{"path":"a/b"}')).toEqual({ kind: "folder", path: "a/b" });
  expect(eventOf("task", '{"id":"1"}')).toEqual({ kind: "task" });
  expect(eventOf("weather", "{}")).toBeNull();
});

test("folders are asked for by their paths, and what changes is told", () => {
  const told: ServerEvent[] = [];
  const live: boolean[] = [];
  const end = follow(["", "a&b"], { onEvent: (event) => told.push(event), onLive: (isLive) => live.push(isLive) });
  const [source] = Source.all;
  expect(source?.url).toBe("/api/v2/events?folder=&folder=a%26b");
  source?.onopen();
  source?.dispatchEvent(new MessageEvent("folder", { data: '{"path":"a&b"}' }));
  source?.dispatchEvent(new MessageEvent("resync", { data: "{}" }));
  expect(live).toEqual([true]);
  expect(told).toEqual([{ kind: "folder", path: "a&b" }, { kind: "resync" }]);
  end();
  expect(source?.readyState).toBe(Source.CLOSED);
});

test("a server that has no events yet is asked again later, until it is not wanted", () => {
  const live: boolean[] = [];
  const end = follow([], { onEvent: () => {}, onLive: (isLive) => live.push(isLive) });
  const [source] = Source.all;
  if (source) source.readyState = Source.CLOSED;
  source?.onerror();
  expect(live).toEqual([false]);
  vi.advanceTimersByTime(30_000);
  expect(Source.all).toHaveLength(2);
  Source.all[1]?.close();
  Source.all[1]?.onerror();
  end();
  vi.advanceTimersByTime(60_000);
  expect(Source.all).toHaveLength(2);
});
