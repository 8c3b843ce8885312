import { expect, test } from "vitest";
import { byUse, shareOf, sumOf } from "./storage";

const account = (storageUsed: number, storageLimit: number) => ({ storageUsed, storageLimit });

test("what is used is added up, and who is nearly full is counted", () => {
  const accounts = [account(90, 100), account(10, 100), account(50, 0)];
  expect(sumOf(accounts)).toEqual({ used: 150, limit: 200, unlimited: 1, nearlyFull: 1 });
  expect(sumOf([])).toEqual({ used: 0, limit: 0, unlimited: 0, nearlyFull: 0 });
});

test("no quota is never nearly used", () => {
  expect(shareOf(account(1_000, 0))).toBe(0);
});

test("who stores most comes first, and the list that was given stays as it is", () => {
  const accounts = [account(1, 0), account(3, 0), account(2, 0)];
  expect(byUse(accounts).map(({ storageUsed }) => storageUsed)).toEqual([3, 2, 1]);
  expect(accounts[0]?.storageUsed).toBe(1);
});
