import { expect, test } from "vitest";
import de from "~/messages/de.json";
import en from "~/messages/en.json";
import { Formats } from "~/messages/formats";
import { translator } from "~/messages/translate";
import type { Messages } from "~/messages/types";
import { Problem, problemText, refusalText, sentenceOf, setDecider } from "./problem";

const inEnglish = translator(en as unknown as Messages, new Formats("en-US"));
const inGerman = translator(de as unknown as Messages, new Formats("de"));
const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, "");

test("a server behind a location is told from this one, which is busy or lacks its catalog", () => {
  const of = (status: number) => Problem.of(new Response(null, { status }), { code: "unavailable" }).code;
  expect([of(502), of(503)]).toEqual(["unavailable", "unready"]);
});

test("within a task: the server's words in English, else the sentence of the reason, else of the code", () => {
  const refusal = { code: "malformed", reasonCode: "archive_damaged", message: "It is damaged (no end)." };
  expect(refusalText(inEnglish, refusal)).toBe("It is damaged (no end).");
  expect(refusalText(inGerman, refusal)).toBe(de["reason.archive_damaged"]);
  const taken = { code: "name_taken", reasonCode: null, message: "Its name is taken there." };
  expect(refusalText(inGerman, taken)).toBe(de["problem.name_taken"]);
});

test("where neither says enough the server's words stand behind the sentence", () => {
  const refusal = { code: "malformed", reasonCode: "a_later_word", message: "The source is odd." };
  expect(plain(refusalText(inGerman, refusal))).toBe(`${de["problem.malformed"]} · The source is odd.`);
  expect(refusalText(inGerman, { code: null, reasonCode: null, message: null })).toBe(de["problem.failed"]);
});

test("a form is told in the person's language first what the server does not take", () => {
  const problem = new Problem("malformed", "The password has fewer than 8 characters.", 400);
  expect(problemText(inEnglish, problem)).toBe("The password has fewer than 8 characters.");
  expect(plain(problemText(inGerman, problem))).toBe(
    `${de["problem.malformed"]} · The password has fewer than 8 characters.`,
  );
  expect(problemText(inGerman, new Problem("forbidden", "Not yours.", 403))).toBe(de["problem.forbidden"]);
});

test("in a folder that somebody shares, refusals name that person", () => {
  const refused = new Problem("forbidden", "Not yours.", 403);
  setDecider("Ann");
  const texts = [problemText(inEnglish, refused), sentenceOf(inEnglish, refused)];
  texts.push(refusalText(inEnglish, { code: "forbidden", reasonCode: null, message: null }));
  const other = sentenceOf(inEnglish, new Problem("not_found", "Gone.", 404));
  setDecider(null);
  expect(texts.map(plain)).toEqual(Array(3).fill("You are not allowed to do this here. Ask Ann, who shares it."));
  expect(other).toBe(en["problem.not_found"]);
  expect(problemText(inEnglish, refused)).toBe(en["problem.forbidden"]);
});
