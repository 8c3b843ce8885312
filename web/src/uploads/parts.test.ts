import { expect, test } from "vitest";
import { keptTime, utcSeconds } from "~/model/moments";
import { chosenByInput } from "./chosen";
import { folderAt } from "./DropArea";
import { Rate } from "./display";
import { freeName } from "./plan";

test("a speed is that of the last seconds", () => {
  const rate = new Rate();
  expect(rate.perSecond()).toBe(0);
  rate.add(0, 0);
  rate.add(1000, 1_000_000);
  expect(rate.perSecond()).toBe(1_000_000);
  for (let second = 2; second <= 20; second += 1) rate.add(second * 1000, 1_000_000 + second * 10);
  expect(rate.perSecond()).toBe(10);
});

test("what is dropped goes into the folder below it, or into the one that is open", () => {
  document.body.innerHTML = `<div data-folder="a/b"><i id="row"></i></div><a href="/files/c%2525/d"><i id="link"></i></a>
    <a href="/files/"><i id="root"></i></a><a href="/filesystem"><i id="other"></i></a>`;
  const at = (id: string) => folderAt(document.getElementById(id), "open");
  expect(at("row")).toBe("a/b");
  expect(at("link")).toBe("c%25/d");
  expect(at("root")).toBe("");
  expect(at("other")).toBe("open");
  expect(folderAt(null, "open")).toBe("open");
});

test("files of a folder bring the folders on their way, each once and those above first", () => {
  const file = (path: string) => {
    const made = new File([], path.split("/").at(-1) ?? "");
    Object.defineProperty(made, "webkitRelativePath", { value: path });
    return made;
  };
  const { folders } = chosenByInput([file("a/b/1"), file("a/b/2"), file("a/3")]);
  expect(folders).toEqual([["a"], ["a", "b"]]);
});

test("a folder beside another gets the first free number", () => {
  expect(freeName("a.b", new Map([["a.b (2)", 0]]))).toBe("a.b (3)");
});

test("moments are told in whole seconds of UTC", () => {
  expect(utcSeconds(new Date(1_000_000_000_999))).toBe("2001-09-09T01:46:40");
});

test("a time of a file that the server cannot keep is told to nobody", () => {
  expect(keptTime(1_000_000_000_999)).toBe("2001-09-09T01:46:40");
  expect(keptTime(-1)).toBe("1969-12-31T23:59:59");
  // 1601, as Chrome on Android tells it, the ends of what the server keeps, of what a Date can be, and none.
  const others = [-11_644_473_600_000, Date.UTC(1678, 0, 1), Date.UTC(2262, 0, 1), 8.64e15, 9e15, 0, 999, Number.NaN];
  for (const time of others) expect(keptTime(time)).toBeUndefined();
});
