import { expect, it } from "vitest";
import { passwordProblem } from "./password";

it("counts bytes, as the server does", () => {
  expect(passwordProblem("1234567")).toBe("account.passwordShort");
  expect(passwordProblem("12345678")).toBeNull();
  expect(passwordProblem("日本語")).toBeNull();
  expect(passwordProblem("x".repeat(1024))).toBeNull();
  expect(passwordProblem("é".repeat(513))).toBe("account.passwordLong");
});
