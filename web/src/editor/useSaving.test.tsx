import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { v2 } from "~/api/client";
import type { CodeHandle } from "~/content/CodeView";
import { decode } from "~/content/text-file";
import { TestPage } from "~/testing/TestPage";
import { useSaving } from "./useSaving";

const LATIN = Uint8Array.of(0xe9);
const TYPED = "é日";

let page: TestPage;
let saving: ReturnType<typeof useSaving>;
/** The server's file, and the version that it has. */
let file: { bytes: Uint8Array<ArrayBuffer>; version: number } | null;

const code = { current: { text: () => TYPED, replace: () => {} } as unknown as CodeHandle };
const opened = decode(LATIN.slice().buffer, "1", true);

function refusal(code: string, status: number) {
  return Promise.resolve({ error: { code }, response: new Response(null, { status }) });
}

type Put = { bodySerializer: () => Uint8Array<ArrayBuffer>; headers: Record<string, string> };

function put(_: string, { bodySerializer, headers }: Put): Promise<unknown> {
  const isSame = file === null ? headers["If-None-Match"] === "*" : headers["If-Match"] === String(file.version);
  if (!isSame) return refusal("precondition_failed", 412);
  const version = (file?.version ?? 0) + 1;
  file = { bytes: bodySerializer(), version };
  return Promise.resolve({ data: {}, response: new Response(null, { headers: { ETag: String(version) } }) });
}

function get(): Promise<unknown> {
  if (file === null) return refusal("not_found", 404);
  const response = new Response(null, { headers: { ETag: String(file.version) } });
  return Promise.resolve({ data: file.bytes.slice().buffer, response });
}

function Shown(): null {
  saving = useSaving("latin.txt", opened, code);
  return null;
}

beforeEach(async () => {
  vi.spyOn(v2, "PUT").mockImplementation(put as never);
  vi.spyOn(v2, "GET").mockImplementation(get as never);
  page = new TestPage();
  await page.show(<Shown />);
  await vi.waitFor(() => expect(saving.encoding).toBe("windows-1252"));
});
afterEach(() => {
  page.close();
  vi.restoreAllMocks();
});

for (const [what, change] of [
  ["has changed", () => ({ bytes: Uint8Array.of(0x6f), version: 7 })],
  ["is gone", () => null],
] as const) {
  test(`what is to be UTF-8 is stored so where the file ${what} meanwhile`, async () => {
    file = change();
    await saving.saveAsUtf8();
    await vi.waitFor(() => expect(saving.conflict?.mine).toBe(TYPED));
    saving.resolve("mine");
    await vi.waitFor(() => expect(saving.conflict).toBeNull());
    expect(new TextDecoder().decode(file?.bytes)).toBe(TYPED);
    await vi.waitFor(() => expect([saving.encoding, saving.stranger]).toEqual(["utf-8", null]));
  });
}
