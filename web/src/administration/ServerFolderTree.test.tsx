import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import { loadMessages, MessagesProvider, withPageTexts } from "~/messages";
import { ServerFolderTree } from "./ServerFolderTree";

const SERVER = { settingsFile: "/data/coffer.toml", program: "/usr/bin/coffer", dataFolder: "/data" };

let root: Root;
let client: QueryClient;
let place: HTMLElement;
/** What the server answers to who asks for folders, one after the other; then nothing comes. */
let answers: unknown[];
let asked: number;

function ask(path: string): Promise<unknown> {
  if (path === "/api/v2/admin/server") return Promise.resolve({ data: SERVER, response: new Response() });
  const answer = answers[asked];
  asked += 1;
  return answer === undefined ? new Promise(() => {}) : Promise.resolve(answer);
}

const refused = () => ({ error: { code: "forbidden" }, response: new Response(null, { status: 403 }) });

async function show(): Promise<void> {
  await withPageTexts(async () => {});
  const first = await loadMessages("en");
  root.render(
    <QueryClientProvider client={client}>
      <MessagesProvider first={first}>
        <ServerFolderTree chosen="" onChoose={() => {}} />
      </MessagesProvider>
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  asked = 0;
  vi.spyOn(v2, "GET").mockImplementation(ask as never);
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  root.unmount();
  place.remove();
  client.clear();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("what says how to share folders stays while those are looked for again", async () => {
  answers = [refused(), refused()];
  await show();
  await vi.waitFor(() => expect(place.querySelectorAll("textarea")).toHaveLength(2));
  const [line] = place.querySelectorAll("textarea");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(asked).toBe(2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(asked).toBe(3);
  expect(place.querySelector("textarea")).toBe(line);
});

test("what may be shared is shown as soon as the server has it", async () => {
  const folders = { entries: [{ name: "photos", path: "/srv/photos" }], next: null };
  answers = [refused(), { data: folders, response: new Response() }];
  await show();
  await vi.waitFor(() => expect(place.querySelectorAll("textarea")).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(3_000);
  await vi.waitFor(() => expect(place.textContent).toContain("photos"));
  expect(place.querySelector("textarea")).toBeNull();
});
