import { expect, test } from "vitest";
import { readLines } from "./stream";

const line = (name: string) => JSON.stringify({ name, path: `a/${name}` });

test("whole lines are read, and a piece of one waits for the rest", () => {
  const cut = `${line("x")}\n${line("y")}`;
  const first = readLines(cut);
  expect(first.batch.entries.map(({ name }) => name)).toEqual(["x"]);
  const second = readLines(`${first.rest}\n{"found":2,"unreadFolders":1,"isLimited":false}\n`);
  expect(second.batch.entries.map(({ name }) => name)).toEqual(["y"]);
  expect(second.batch.end).toEqual({ found: 2, unreadFolders: 1, isLimited: false });
  expect(second.rest).toBe("");
});

test("a file named as the last line's field is no end", () => {
  expect(readLines(`${line("found")}\n\n`).batch).toEqual({ entries: [JSON.parse(line("found"))], end: null });
});
