import { expect, it } from "vitest";
import { curlLine } from "./curl-line";

it("asks for the folder that the key is limited to", () => {
  expect(curlLine("https://files.example.org", "s3cret", "documents/2026")).toBe(
    'curl -H "X-API-Key: s3cret" "https://files.example.org/api/v2/files?path=documents%2F2026"',
  );
  expect(curlLine("http://127.0.0.1:8080", "s3cret", null)).toBe(
    'curl -H "X-API-Key: s3cret" "http://127.0.0.1:8080/api/v2/files?path="',
  );
});

it.each(['"; rm -rf ~; "', "$(reboot)", "`reboot`", "a\\", "!!", "it's (a) *", "100%", "日本"])(
  "says nothing to a shell by the name %s",
  (folder) => {
    const line = curlLine("http://host", "s3cret", folder);
    const url = /"(http:[^"]*)"$/.exec(line)?.[1] ?? "";
    expect(url).toMatch(/^http:\/\/host\/api\/v2\/files\?path=[A-Za-z0-9%._~-]*$/);
    expect(new URL(url).searchParams.get("path")).toBe(folder);
  },
);
