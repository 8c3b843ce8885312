import { expect, test } from "vitest";
import { bytesOf, quotaOf } from "./quota";

test("a quota is read in its unit, with either decimal sign", () => {
  expect(bytesOf({ amount: "10", unit: "GiB" })).toBe(10 * 2 ** 30);
  expect(bytesOf({ amount: " 1.5 ", unit: "TiB" })).toBe(1.5 * 2 ** 40);
  expect(bytesOf({ amount: "0,5", unit: "MiB" })).toBe(2 ** 19);
});

test("nothing typed is no limit", () => {
  expect(bytesOf({ amount: "", unit: "MiB" })).toBe(0);
  expect(bytesOf({ amount: "  ", unit: "TiB" })).toBe(0);
});

test("what is no size is told", () => {
  for (const amount of ["-1", "ten", "1e3", "0", "1.2.3", "9999999999"]) {
    expect(bytesOf({ amount, unit: "TiB" })).toBeNull();
  }
});

test("a quota comes back as it was", () => {
  for (const bytes of [0, 1, 2 ** 20, 3 * 2 ** 30, 2 ** 40, 1_000_000, 1_234_567_890]) {
    expect(bytesOf(quotaOf(bytes))).toBe(bytes);
  }
});

test("it is said in the largest unit that says it in full", () => {
  expect(quotaOf(2 ** 40)).toEqual({ amount: "1", unit: "TiB" });
  expect(quotaOf(1536 * 2 ** 20)).toEqual({ amount: "1536", unit: "MiB" });
});
