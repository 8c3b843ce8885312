import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Lines } from "./lines";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("so many have a line at once, the others in the order in which they came", () => {
  const lines = new Lines(3);
  const begun: number[] = [];
  const leases = [1, 2, 3, 4, 5, 6].map((number) => lines.take(() => begun.push(number)));
  expect(begun).toEqual([1, 2, 3]);
  leases[1]?.give();
  leases[1]?.give();
  expect(begun).toEqual([1, 2, 3, 4]);
  // One that waits wants it no more.
  leases[4]?.give();
  leases[0]?.give();
  expect(begun).toEqual([1, 2, 3, 4, 6]);
});

test("a line that nobody renews is free, one that is renewed is not", () => {
  const lines = new Lines(2);
  const begun: number[] = [];
  const [kept] = [1, 2, 3, 4].map((number) => lines.take(() => begun.push(number)));
  vi.advanceTimersByTime(100_000);
  kept?.renew();
  vi.advanceTimersByTime(100_000);
  expect(begun).toEqual([1, 2, 3]);
});
