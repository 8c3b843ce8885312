import { expect, test } from "vitest";
import { areFew, piecesOf } from "./selection";

test("paths are told from the folder that all are in", () => {
  expect(piecesOf(["a/b/c", "a/b/d"])).toEqual({ folder: "a/b", pieces: [["c", "d"]] });
  expect(piecesOf(["a/b/c", "a/bc/d", "a/b/e/f"])).toEqual({ folder: "a", pieces: [["b/c", "bc/d", "b/e/f"]] });
  expect(piecesOf(["a/b", "c"])).toEqual({ folder: "", pieces: [["a/b", "c"]] });
  expect(piecesOf(["a/b", "a/b/c"])).toEqual({ folder: "a", pieces: [["b", "b/c"]] });
});

test("a piece has so many items and bytes", () => {
  const many = Array.from({ length: 12_000 }, (_, index) => `folder/${index}`);
  const { pieces } = piecesOf(many);
  expect(pieces.map((piece) => piece.length)).toEqual([5_000, 5_000, 2_000]);
  expect(pieces.flat()).toEqual(many.map((path) => path.slice(7)));
  const long = Array.from({ length: 3_000 }, (_, index) => `${index}${"ü".repeat(120)}`);
  for (const piece of piecesOf(long).pieces) expect(JSON.stringify(piece).length).toBeLessThan(512 * 1024);
  expect(piecesOf(long).pieces.flat()).toEqual(long);
});

test("a task names a few itself", () => {
  expect(areFew(["a", "b"])).toBe(true);
  expect(areFew(Array.from({ length: 501 }, String))).toBe(false);
  expect(areFew(Array.from({ length: 300 }, () => "ü".repeat(60)))).toBe(false);
});
