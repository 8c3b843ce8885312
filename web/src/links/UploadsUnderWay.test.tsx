import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { setReached } from "~/api/reach";
import type { Location } from "~/model/locations";
import { TestPage } from "~/testing/TestPage";
import { UploadsUnderWay } from "./UploadsUnderWay";

const UPLOAD = {
  id: "1",
  path: "photo.jpg",
  linkId: null,
  keyId: null,
  address: "192.0.2.1",
  received: 1,
  size: 2,
  startedAt: "2026-01-01T00:00:00",
};
const LOCATIONS: Location[] = [];

let page: TestPage;
let uploads: unknown[];

const list = () => Promise.resolve({ data: { entries: uploads, next: null }, response: new Response() });

async function show(): Promise<void> {
  await page.show(<UploadsUnderWay locations={LOCATIONS} />);
}

beforeEach(() => {
  page = new TestPage();
});
afterEach(() => {
  page.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  setReached(true);
});

test("a question stays when the upload that it is about ends by itself", async () => {
  uploads = [UPLOAD];
  vi.spyOn(v2, "GET").mockImplementation(list as never);
  await show();
  const button = await vi.waitFor(() => {
    const found = page.place.querySelector("button");
    expect(found).not.toBeNull();
    return found;
  });
  button?.click();
  const dialog = await vi.waitFor(() => {
    const found = document.querySelector("[role=dialog], [role=alertdialog]");
    expect(found?.textContent).toContain("photo.jpg");
    return found;
  });
  uploads = [];
  await page.client.invalidateQueries({ queryKey: keys.unfinishedUploads });
  await vi.waitFor(() => expect(page.place.querySelector("button")).toBeNull());
  expect(dialog?.isConnected).toBe(true);
});

test("who has no uploads sees nothing of them while the server is away", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")));
  vi.spyOn(v2, "GET").mockImplementation((() => Promise.reject(new TypeError("away"))) as never);
  await show();
  await vi.waitFor(() => expect(page.client.getQueryState(keys.unfinishedUploads)?.status).toBe("error"));
  await new Promise((settle) => setTimeout(settle));
  expect(page.place.textContent).toBe("");
});
