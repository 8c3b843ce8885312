import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import { TestPage } from "~/testing/TestPage";
import { SettingsInForcePage } from "./SettingsPage";

const SERVER = { settingsFile: "/data/coffer.toml", settingsProblem: null, untrustedProxies: [], certificate: null };
const LOG = { key: "log_level", value: "info", origin: "default", help: "", live: true, waits: false };

let page: TestPage;
let answerSettings: () => void;

function ask(path: string): Promise<unknown> {
  if (path === "/api/v2/admin/server") return Promise.resolve({ data: SERVER, response: new Response() });
  return new Promise((settle) => {
    answerSettings = () => settle({ data: [LOG], response: new Response() });
  });
}

beforeEach(() => {
  vi.spyOn(v2, "GET").mockImplementation(ask as never);
  page = new TestPage();
});
afterEach(() => {
  page.close();
  vi.restoreAllMocks();
});

test("the settings that need no restart are named once they are known", async () => {
  await page.show(<SettingsInForcePage />);
  await vi.waitFor(() => expect(page.client.getQueryData(["admin", "server"])).toEqual(SERVER));
  await new Promise((settle) => setTimeout(settle));
  expect(page.place.querySelector("h1")).not.toBeNull();
  expect(page.place.textContent).not.toContain("/data/coffer.toml");
  answerSettings();
  await vi.waitFor(() => expect(page.place.textContent).toContain("/data/coffer.toml"));
  expect(page.place.textContent).toContain("log_level");
});
