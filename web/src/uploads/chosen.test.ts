import { expect, test } from "vitest";
import { chosenByDrop } from "./chosen";

const file = (name: string) => ({
  isFile: true,
  name,
  file: (done: (file: File) => void) => done(new File([name], name)),
});
const locked = (name: string) => ({
  isFile: true,
  name,
  file: (_: unknown, fail: (error: unknown) => void) => fail(new DOMException("no", "NotReadableError")),
});

type Entry = { name: string };

/** A folder whose entries come one at a time; one that is broken fails behind the last. */
const folder = (name: string, entries: Entry[], isBroken = false) => ({
  isFile: false,
  name,
  createReader: () => {
    const left = [...entries];
    const readEntries = (done: (some: Entry[]) => void, fail: (error: unknown) => void) =>
      left.length === 0 && isBroken ? fail(new DOMException("no", "NotReadableError")) : done(left.splice(0, 1));
    return { readEntries };
  },
});

async function drop(...entries: Entry[]) {
  const items = entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => entry, getAsFile: () => null }));
  const { files, folders } = await chosenByDrop(items as unknown as DataTransferItemList);
  const namesOf = (all: typeof files) => all.map(({ within }) => within.join("/"));
  return {
    readable: namesOf(files.filter(({ isUnreadable }) => !isUnreadable)),
    unreadable: namesOf(files.filter(({ isUnreadable }) => isUnreadable)),
    folders: folders.map((within) => within.join("/")),
  };
}

test("a file that cannot be read is named, and the others are taken", async () => {
  expect(await drop(folder("a", [file("1"), locked("2"), file("3")]), locked("4"), file("5"))).toEqual({
    readable: ["a/1", "a/3", "5"],
    unreadable: ["a/2", "4"],
    folders: ["a"],
  });
});

test("of a folder that cannot be read to its end what came before is taken", async () => {
  expect(await drop(folder("a", [folder("b", [file("1")], true), file("2")]))).toEqual({
    readable: ["a/b/1", "a/2"],
    unreadable: ["a/b"],
    folders: ["a", "a/b"],
  });
});
