import { expect, it } from "vitest";
import { isPlain, Problem, sentenceKey } from "./problem";

it("tells a server behind a location from this one, which is busy or lacks its catalog", () => {
  const of = (status: number) => Problem.of(new Response(null, { status }), { code: "unavailable" }).code;
  expect([of(502), of(503)]).toEqual(["unavailable", "unready"]);
});

it("leaves what is not taken, or too many, to the server's own sentence", () => {
  expect(isPlain(new Problem("rate_limited", "There are 10000 API keys: revoke some.", 429, 60))).toBe(true);
  expect(isPlain(new Problem("malformed", "name: it is too long"))).toBe(true);
  expect(isPlain(new Problem("forbidden", "no"))).toBe(false);
  expect(isPlain(new Error("malformed"))).toBe(false);
  expect(sentenceKey(new Problem("forbidden", "no"))).toBe("problem.forbidden");
});
