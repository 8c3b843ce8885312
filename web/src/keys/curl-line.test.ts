import { expect, it } from "vitest";
import { curlLine } from "./query";

it("asks for all that the key reaches, in quotes that every shell takes", () => {
  expect(curlLine("https://files.example.org", "5f0c2a9d-0000-4000-8000-000000000000")).toBe(
    'curl -H "X-API-Key: 5f0c2a9d-0000-4000-8000-000000000000" "https://files.example.org/api/v2/files"',
  );
});
