import { expect, test } from "vitest";
import { allCharacterSets, characterSets } from "./character-sets";

const first = (own: string[]) => characterSets("en", own)[0]?.value;

test("the sets of the person's own languages come first", () => {
  expect(first(["ja-JP", "en"])).toBe("shift_jis");
  expect(first(["ru"])).toBe("ibm866");
  expect(first(["zh-CN"])).toBe("gb18030");
  expect(first(["zh-TW"])).toBe("big5");
  expect(first(["de-AT", "en"])).toBe("ibm850");
  expect(first(["xx"])).toBe("ibm850");
});

test("each is told with its languages, once", () => {
  const all = characterSets("de", ["de"]);
  expect(all.find(({ value }) => value === "shift_jis")?.text).toBe("Japanisch (Shift JIS)");
  expect(new Set(all.map(({ value }) => value)).size).toBe(all.length);
});

test("all are named in one way, UTF-8 and then the others by their names", () => {
  const all = allCharacterSets();
  expect(all.slice(0, 3).map(({ text }) => text)).toEqual(["UTF-8", "Big5", "EUC-JP"]);
  expect(all.map(({ text }) => text)).toEqual(expect.arrayContaining(["IBM850", "KOI8-R", "Windows-1252"]));
  const names = characterSets("en", []).map(({ value }) => value);
  expect(all.map(({ value }) => value).sort()).toEqual(["utf-8", ...names].sort());
});
