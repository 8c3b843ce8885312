import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import { TestPage } from "~/testing/TestPage";
import { ServerFolderTree } from "./ServerFolderTree";

const SERVER = { settingsFile: "/data/coffer.toml", program: "/usr/bin/coffer", dataFolder: "/data" };

let page: TestPage;
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
  await page.show(<ServerFolderTree chosen="" onChoose={() => {}} />);
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  asked = 0;
  vi.spyOn(v2, "GET").mockImplementation(ask as never);
  page = new TestPage();
});
afterEach(() => {
  page.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("what says how to share folders stays while those are looked for again", async () => {
  answers = [refused(), refused()];
  await show();
  await vi.waitFor(() => expect(page.place.querySelectorAll("textarea")).toHaveLength(2));
  const [line] = page.place.querySelectorAll("textarea");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(asked).toBe(2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(asked).toBe(3);
  expect(page.place.querySelector("textarea")).toBe(line);
});

test("what may be shared is shown as soon as the server has it", async () => {
  const folders = { entries: [{ name: "photos", path: "/srv/photos" }], next: null };
  answers = [refused(), { data: folders, response: new Response() }];
  await show();
  await vi.waitFor(() => expect(page.place.querySelectorAll("textarea")).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(3_000);
  await vi.waitFor(() => expect(page.place.textContent).toContain("photos"));
  expect(page.place.querySelector("textarea")).toBeNull();
});
