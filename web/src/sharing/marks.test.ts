import { expect, test } from "vitest";
import type { Translate } from "~/messages";
import { marksOf } from "./marks";
import type { GivenShare, Person } from "./shares";

const t = ((key: string, values: object) => `${key} ${Object.values(values)}`) as Translate;
const person = (displayName: string): Person => ({ account: displayName, group: null, displayName });
const share = (path: string, ...names: string[]) => ({ path, with: names.map(person) }) as GivenShare;

test("an item is marked once, with those who have it by any of its shares, and its links", () => {
  const shares = [share("album", "Ann"), share("album", "Bob"), share("plans", "A", "B", "C", "D")];
  const marks = marksOf(t, shares, [{ path: "album" }, { path: "a.txt" }, { path: "a.txt" }]);
  const shown = [...marks].map(([path, { isWithPeople, text }]) => [
    path,
    isWithPeople,
    text.replaceAll(/[\u2068\u2069]/g, ""),
  ]);
  expect(shown).toEqual([
    ["album", true, "sharing.mark Ann, Bob · sharing.links 1"],
    ["plans", true, "sharing.mark A, B, C, …"],
    ["a.txt", false, "sharing.links 2"],
  ]);
});
