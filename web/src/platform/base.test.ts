import { expect, it } from "vitest";
import { at, baseOf, SERVER } from "./base";

it("is told by the address of a part of the interface", () => {
  expect(baseOf("https://files.example.org/assets/base-a1b2.js")).toBe("");
  expect(baseOf("https://example.org/coffer/assets/base-a1b2.js")).toBe("/coffer");
  expect(baseOf("https://example.org/assets/coffer/assets/base-a1b2.js")).toBe("/assets/coffer");
});

it("is empty while one works on the interface", () => {
  expect(baseOf("http://localhost:5173/src/platform/base.ts")).toBe("");
  expect(at("/api/v2/files")).toBe("/api/v2/files");
  expect(SERVER).toBe(location.origin);
});
