import { expect, test } from "vitest";
import { translatedReason } from "./TaskItem";

test("in English the server's own words stand, which are more exact", () => {
  expect(translatedReason("en", "name_taken")).toBeNull();
});

test("in another language the sentence of the code stands", () => {
  expect(translatedReason("de", "name_taken")).toBe("problem.name_taken");
  expect(translatedReason("ar", "over_quota")).toBe("problem.over_quota");
});

test("the server's words stand where the code says too little, or is not known", () => {
  expect(translatedReason("de", "malformed")).toBeNull();
  expect(translatedReason("de", "a_later_code")).toBeNull();
  expect(translatedReason("de", null)).toBeNull();
});
