import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import { loadMessages, MessagesProvider, withPageTexts } from "~/messages";
import { SettingsInForcePage } from "./SettingsPage";

const SERVER = { settingsFile: "/data/coffer.toml", settingsProblem: null, untrustedProxies: [] };
const LOG = { key: "log_level", value: "info", origin: "default", help: "", live: true, waits: false };

let root: Root;
let client: QueryClient;
let place: HTMLElement;
let answerSettings: () => void;

function ask(path: string): Promise<unknown> {
  if (path === "/api/v2/admin/server") return Promise.resolve({ data: SERVER, response: new Response() });
  return new Promise((settle) => {
    answerSettings = () => settle({ data: [LOG], response: new Response() });
  });
}

beforeEach(() => {
  vi.spyOn(v2, "GET").mockImplementation(ask as never);
  client = new QueryClient();
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  root.unmount();
  place.remove();
  client.clear();
  vi.restoreAllMocks();
});

test("the settings that need no restart are named once they are known", async () => {
  await withPageTexts(async () => {});
  const first = await loadMessages("en");
  root.render(
    <QueryClientProvider client={client}>
      <MessagesProvider first={first}>
        <SettingsInForcePage />
      </MessagesProvider>
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(client.getQueryData(["admin", "server"])).toEqual(SERVER));
  await new Promise((settle) => setTimeout(settle));
  expect(place.querySelector("h1")).not.toBeNull();
  expect(place.textContent).not.toContain("/data/coffer.toml");
  answerSettings();
  await vi.waitFor(() => expect(place.textContent).toContain("/data/coffer.toml"));
  expect(place.textContent).toContain("log_level");
});
