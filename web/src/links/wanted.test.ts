import { describe, expect, test } from "vitest";
import { EMPTY_FORM, endOfDay, wantedLink, wrongIn } from "./query";

const NOW = new Date("2026-11-24T12:00:00");

describe("what the server is asked for", () => {
  test("nothing but the path and the mode where nothing else is wanted", () => {
    expect(wantedLink("a/b", EMPTY_FORM)).toEqual({ path: "a/b", mode: "read" });
  });

  test("everything that is typed", () => {
    const form = { mode: "read", password: "long enough", lastDay: "2027-01-31", mostDownloads: "3" } as const;
    expect(wantedLink("a", form)).toEqual({
      path: "a",
      mode: "read",
      password: "long enough",
      expiresAt: endOfDay("2027-01-31"),
      maxDownloads: 3,
    });
  });

  test("no limit of downloads where there are none", () => {
    expect(wantedLink("a", { ...EMPTY_FORM, mode: "upload", mostDownloads: "3" })).toEqual({
      path: "a",
      mode: "upload",
    });
  });

  test("a link is good until its last day has ended here", () => {
    expect(new Date(`${endOfDay("2027-01-31")}Z`)).toEqual(new Date("2027-01-31T23:59:59"));
  });
});

describe("what the server would refuse", () => {
  test("nothing of an empty form", () => {
    expect(wrongIn(EMPTY_FORM, NOW)).toEqual({});
  });

  test("a short password, counted in bytes", () => {
    expect(wrongIn({ ...EMPTY_FORM, password: "1234567" }, NOW)).toEqual({ password: "links.passwordShort" });
    expect(wrongIn({ ...EMPTY_FORM, password: "äöüß" }, NOW)).toEqual({});
  });

  test("a limit that is none", () => {
    for (const mostDownloads of ["0", "-1", "1.5", "1000001", "many"]) {
      expect(wrongIn({ ...EMPTY_FORM, mostDownloads }, NOW)).toEqual({ mostDownloads: "links.limitWrong" });
    }
    expect(wrongIn({ ...EMPTY_FORM, mostDownloads: "1000000" }, NOW)).toEqual({});
    expect(wrongIn({ ...EMPTY_FORM, mode: "upload", mostDownloads: "0" }, NOW)).toEqual({});
  });

  test("a day that is over, but not today", () => {
    expect(wrongIn({ ...EMPTY_FORM, lastDay: "2026-11-23" }, NOW)).toEqual({ lastDay: "links.dayPast" });
    expect(wrongIn({ ...EMPTY_FORM, lastDay: "2026-11-24" }, NOW)).toEqual({});
  });
});
