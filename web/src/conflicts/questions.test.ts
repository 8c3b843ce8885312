import { expect, test } from "vitest";
import { type Conflict, type Item, Questions } from "./questions";

const file: Item = { isDirectory: false, size: 1, modifiedAt: null, picture: null };
const folder: Item = { isDirectory: true, size: null, modifiedAt: null, picture: null };
const taken = (name: string, there = file, coming = file): Conflict => ({ folder: "", name, there, coming });

test("each conflict is asked about, with how many come behind it", async () => {
  const questions = new Questions();
  const choices = questions.ask([taken("a"), taken("b")]);
  expect(questions.current()).toMatchObject({ conflict: { name: "a" }, left: 1 });
  questions.current()?.answer("skip", false);
  expect(questions.current()).toMatchObject({ conflict: { name: "b" }, left: 0 });
  questions.current()?.answer("replace", false);
  expect(await choices).toEqual(["skip", "replace"]);
  expect(questions.current()).toBeNull();
});

test("one answer for all spares what can never be replaced", async () => {
  const questions = new Questions();
  const choices = questions.ask([taken("a"), taken("b"), taken("c", folder, file)]);
  questions.current()?.answer("skip", false);
  questions.current()?.answer("replace", true);
  expect(await choices).toEqual(["skip", "replace", "keepBoth"]);
});

test("a second question waits for the first, also where that is cancelled", async () => {
  const questions = new Questions();
  const first = questions.ask([taken("a"), taken("b")]);
  const second = questions.ask([taken("c")]);
  questions.current()?.cancel();
  expect(await first).toBeNull();
  expect(questions.current()).toMatchObject({ conflict: { name: "c" } });
  questions.current()?.answer("keepBoth", false);
  expect(await second).toEqual(["keepBoth"]);
});

test("nothing taken is no question", async () => {
  const questions = new Questions();
  expect(await questions.ask([])).toEqual([]);
  expect(questions.current()).toBeNull();
});
