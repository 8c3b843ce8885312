import { expect, it } from "vitest";
import { expiresAt, hasEnded, isDayToCome } from "./query";

const now = new Date("2026-11-21T06:14:09.500Z");

it("counts days from now, in the server's form", () => {
  expect(expiresAt("never", "", now)).toBeNull();
  expect(expiresAt("30", "", now)).toBe("2026-12-21T06:14:09");
});

it("ends with the day that was chosen, on this device's clock", () => {
  const end = expiresAt("date", "2027-01-31", now) ?? "";
  const local = new Date(`${end}Z`);
  expect([local.getFullYear(), local.getMonth(), local.getDate()]).toEqual([2027, 0, 31]);
  expect([local.getHours(), local.getMinutes()]).toEqual([23, 59]);
});

it.each(["", "tomorrow", "2026-13-01", "2026-11-20", "1999-01-01"])("does not take %s for a day to come", (day) => {
  expect(isDayToCome(day, now)).toBe(false);
});

it("takes later days", () => {
  expect(isDayToCome("2026-11-23", now)).toBe(true);
});

it("knows what has ended", () => {
  expect(hasEnded(null, now)).toBe(false);
  expect(hasEnded("2026-11-21T06:14:09", now)).toBe(true);
  expect(hasEnded("2026-11-21T06:14:10", now)).toBe(false);
});
