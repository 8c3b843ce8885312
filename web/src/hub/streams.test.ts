import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventOf, OneStream } from "./streams";

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

  refuse(): void {
    this.close();
    this.onerror();
  }

  tell(kind: string, data: object): void {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }));
  }
}

/** The streams that are not closed. */
const open = () => Source.all.filter(({ readyState }) => readyState !== Source.CLOSED);
const last = () => Source.all.at(-1) as Source;

function follower() {
  const heard: unknown[] = [];
  return { heard, onEvent: (event: unknown) => heard.push(event), onLive: (isLive: boolean) => heard.push(isLive) };
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
  expect(eventOf("shared", '{"path":"__adm_1/"}')).toEqual({ kind: "shared" });
  expect(eventOf("weather", "{}")).toBeNull();
});

test("each hears of its folders, and all of what is the account's", () => {
  const [one, other, stream] = [follower(), follower(), new OneStream()];
  stream.follow(one, [""]);
  stream.follow(other, ["a&b"]);
  expect(open()).toEqual([last()]);
  expect(last().url).toBe("/api/v2/events?folder=a%26b&folder=");
  last().onopen();
  last().tell("folder", { path: "a&b" });
  last().tell("resync", {});
  expect(one.heard).toEqual([true, { kind: "resync" }]);
  expect(other.heard).toEqual([true, { kind: "folder", path: "a&b" }, { kind: "resync" }]);
});

test("a stream ends when its successor is open, and who was live hears nothing of it", () => {
  const [one, other, stream] = [follower(), follower(), new OneStream()];
  stream.follow(one, ["a"]);
  const first = last();
  first.onopen();
  stream.follow(other, ["b"]);
  expect(open()).toEqual([first, last()]);
  first.tell("folder", { path: "a" });
  last().onopen();
  expect(open()).toEqual([last()]);
  expect(one.heard).toEqual([true, { kind: "folder", path: "a" }]);
  expect(other.heard).toEqual([true]);
});

test("a folder that is followed already needs no other stream", () => {
  const [one, other, stream] = [follower(), follower(), new OneStream()];
  stream.follow(one, ["a"]);
  last().onopen();
  stream.follow(other, ["a"]);
  expect(Source.all).toHaveLength(1);
  expect(other.heard).toEqual([true]);
});

test("of more folders than a stream takes those that came last are followed, and the others told so", () => {
  const stream = new OneStream();
  const all = Array.from({ length: 17 }, follower);
  for (const [number, one] of all.entries()) stream.follow(one, [`${number}`]);
  last().onopen();
  expect(new URL(last().url, "http://a").searchParams.getAll("folder")).toHaveLength(16);
  expect(all[0]?.heard).toEqual([false]);
  expect(all[16]?.heard).toEqual([true]);
  // It comes back to the front.
  stream.follow(all[0] as ReturnType<typeof follower>, ["0"]);
  last().onopen();
  expect(all[0]?.heard).toEqual([false, true]);
  expect(all[1]?.heard).toEqual([true, false]);
});

test("the address stays one that proxies take", () => {
  const stream = new OneStream();
  for (const letter of "abcd") stream.follow(follower(), [letter.repeat(1500)]);
  expect(new URL(last().url, "http://a").searchParams.getAll("folder").map(([letter]) => letter)).toEqual(["d", "c"]);
});

test("a server that has no events yet is asked again later, until nobody wants them", () => {
  const [one, stream] = [follower(), new OneStream()];
  stream.follow(one, []);
  last().refuse();
  expect(one.heard).toEqual([false]);
  vi.advanceTimersByTime(30_000);
  expect(Source.all).toHaveLength(2);
  last().onopen();
  expect(one.heard).toEqual([false, true]);
  last().refuse();
  expect(one.heard).toEqual([false, true, false]);
  expect(stream.leave(one)).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(Source.all).toHaveLength(2);
});

const foldersOf = ({ url }: Source) => new URL(url, "http://a").searchParams.getAll("folder");

test("a folder that was refused gets a stream later, whatever was followed meanwhile", () => {
  const [one, other, stream] = [follower(), follower(), new OneStream()];
  stream.follow(one, ["a"]);
  last().refuse();
  vi.advanceTimersByTime(10_000);
  stream.follow(other, ["b"]);
  last().onopen();
  expect(other.heard).toEqual([true]);
  vi.advanceTimersByTime(20_000);
  last().onopen();
  expect(foldersOf(last())).toEqual(["b", "a"]);
  expect(one.heard).toEqual([false, true]);
  expect(other.heard).toEqual([true]);
});

test("a refused folder does not take the stream from others, and gets one later", () => {
  const [one, other, stream] = [follower(), follower(), new OneStream()];
  stream.follow(one, ["a"]);
  stream.follow(other, ["b"]);
  last().refuse();
  expect(foldersOf(last())).toEqual(["a"]);
  last().onopen();
  expect([one.heard, other.heard]).toEqual([[false, true], [false]]);
  vi.advanceTimersByTime(30_000);
  last().onopen();
  expect([one.heard, other.heard]).toEqual([
    [false, true],
    [false, true],
  ]);
});

test("a refused folder that is followed anew is asked for at once, and no stream is replaced for it later", () => {
  const [one, stream] = [follower(), new OneStream()];
  stream.follow(one, ["a"]);
  last().refuse();
  stream.follow(one, ["b"]);
  last().onopen();
  stream.follow(one, ["a"]);
  expect(foldersOf(last())).toEqual(["a"]);
  last().onopen();
  expect(one.heard).toEqual([false, true, true]);
  vi.advanceTimersByTime(60_000);
  expect(Source.all).toHaveLength(3);
});

test("a server that refuses windows without a folder is left alone for a while", () => {
  const [one, other, stream] = [follower(), follower(), new OneStream()];
  stream.follow(one, []);
  stream.follow(other, []);
  const count = Source.all.length;
  last().refuse();
  expect(Source.all).toHaveLength(count);
  vi.advanceTimersByTime(30_000);
  expect(Source.all).toHaveLength(count + 1);
});
