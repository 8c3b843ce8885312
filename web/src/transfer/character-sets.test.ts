import { expect, test } from "vitest";
import { characterSets } from "./character-sets";

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
  expect(all.find(({ value }) => value === "shift_jis")?.text).toBe("Japanisch (shift_jis)");
  expect(new Set(all.map(({ value }) => value)).size).toBe(all.length);
});
