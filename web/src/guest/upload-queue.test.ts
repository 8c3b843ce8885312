import { expect, test } from "vitest";
import { type Phase, startable } from "./uploads-store";

const queue = (...phases: Phase[]) => phases.map((phase, index) => ({ id: index + 1, phase }));

test("so many begin as there is room for, the first first", () => {
  expect(startable(queue("waiting", "waiting", "waiting"), 2)).toEqual([1, 2]);
  expect(startable(queue("sending", "waiting", "waiting"), 2)).toEqual([2]);
  expect(startable(queue("sending", "sending", "waiting"), 2)).toEqual([]);
});

test("what has ended makes room, and does not begin again", () => {
  expect(startable(queue("done", "failed", "waiting"), 1)).toEqual([3]);
  expect(startable(queue("done", "failed"), 3)).toEqual([]);
});
