import { expect, test } from "vitest";
import { utcSeconds } from "~/model/moments";
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
