import { expect, it } from "vitest";
import { agentOf, isPhone } from "~/model/agent";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0 Safari/537.36`, "Chrome", "Windows"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0 Safari/537.36 Edg/140.0`, "Edge", "Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18 Safari/605", "Safari", "macOS"],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/140.0 Mobile Safari/537.36`, "Chrome", "Android"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18 Mobile Safari/604", "Safari", "iPhone"],
  ["curl/7.88.1", "curl", null],
])("knows %s", (agent, browser, system) => {
  expect(agentOf(agent)).toEqual({ browser, system });
});

it("does not guess", () => {
  expect(agentOf("")).toBeNull();
  expect(agentOf("my-backup/1.0")).toBeNull();
});

it("knows what is held in a hand", () => {
  expect(isPhone("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)")).toBe(true);
  expect(isPhone("Mozilla/5.0 (X11; Linux x86_64)")).toBe(false);
});
