import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { HeldLine } from "./held_line.ts";
import { becomes } from "./list.ts";
import { Scene } from "./scene.ts";
import { fileOf, filesInput, MIB, row } from "./uploading.ts";

const scene = new Scene();
const WINDOWS = 10;

const isEvents = (_: string, path: string) => path.startsWith("/api/v2/events");
const isUpload = (method: string, path: string) =>
  (method === "POST" || method === "PATCH") && path.split("/").includes("uploads");

/** What a new upload is called. */
function nameOf(headers: IncomingHttpHeaders): string {
  const [, name = ""] = /filename ([^,]+)/.exec(String(headers["upload-metadata"])) ?? [];
  return Buffer.from(name, "base64").toString();
}

/** So many windows of one browser, signed in, that reach the program by the line alone. */
async function windowsOn(line: HeldLine, count: number) {
  const account = scene.program.addAccount();
  const client = scene.program.client(account);
  const visit = await scene.visit();
  await visit.beginSession(account);
  const pages: Page[] = [visit.page];
  while (pages.length < count) pages.push(await visit.context.newPage());
  return { client, visit, pages, open: (page: Page, path = "") => page.goto(`${line.url}/files/${path}`) };
}

test("14: a tenth window loads, all have one stream, and each is told of the changes in its folder", async (t) => {
  const line = await HeldLine.before(scene.program);
  t.after(() => line.close());
  const { client, pages, open } = await windowsOn(line, WINDOWS);
  for (const [number, page] of pages.entries()) {
    await client.makeFolder(`folder ${number}`);
    await open(page, `folder ${number}`);
    await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  }
  await becomes(async () => line.count(isEvents), 1);
  for (const [number, page] of pages.entries()) {
    await client.put(`folder ${number}/new.txt`);
    await row(page, "new.txt").waitFor();
  }
  // The others are told still when one is gone, and when one opens another folder.
  await pages[0]?.close();
  const [, second, third] = pages;
  if (!second || !third) throw new Error("there are more windows");
  await open(second, "folder 5");
  await row(second, "new.txt").waitFor();
  await client.put("folder 5/newer.txt");
  await row(second, "newer.txt").waitFor();
  await client.put("folder 2/newer.txt");
  await row(third, "newer.txt").waitFor();
  await becomes(async () => line.count(isEvents), 1);
});

test("2: folders open in two windows that upload, beside a download that is not read", async (t) => {
  const line = await HeldLine.before(scene.program, isUpload);
  t.after(() => line.close());
  const { client, pages, open } = await windowsOn(line, 2);
  await client.makeFolder("album");
  await client.put("album/a.txt");
  await client.put("film.mp4", new Uint8Array(64 * MIB));
  for (const page of pages) {
    await open(page);
    await row(page, "album").waitFor();
  }
  const [first, second] = pages;
  if (!first || !second) throw new Error("there are two windows");
  await first.evaluate(async () => {
    const answer = await fetch("/api/v2/files/content?path=film.mp4");
    Object.assign(window, { unread: answer.body });
  });
  for (const [number, page] of pages.entries()) {
    const files = [1, 2, 3, 4].map((file) => fileOf(scene.program, `${number}-${file}.txt`, "content"));
    await filesInput(page).setInputFiles(files);
  }
  await eventually(() => line.count(isUpload) === 3, "as many uploads as may be are under way");
  for (const page of pages) {
    await row(page, "album").dblclick();
    await row(page, "a.txt").waitFor();
  }
  assert.equal(line.mostHeld, 3);
  line.release();
  await eventually(async () => (await client.names()).length === 10, "all files are there");
});

test("20: guests' uploads leave lines free too", async (t) => {
  const line = await HeldLine.before(scene.program, isUpload);
  t.after(() => line.close());
  const { client, pages } = await windowsOn(line, 2);
  await client.makeFolder("inbox");
  const wanted = JSON.stringify({ path: "inbox", mode: "upload" });
  const { token } = (await (await client.call("POST", "/api/v2/links", wanted)).json()) as { token: string };
  for (const [number, page] of pages.entries()) {
    await page.goto(`${line.url}/s/${token}`);
    const files = [1, 2, 3].map((file) => fileOf(scene.program, `guest-${number}-${file}.txt`, "content"));
    await page.locator("input[type=file]").setInputFiles(files);
  }
  await eventually(() => line.count(isUpload) === 3, "as many uploads as may be are under way");
  assert.equal(line.mostHeld, 3);
  await pages[0]?.reload();
  const isOfTheOther = (method: string, path: string, headers: IncomingHttpHeaders) =>
    isUpload(method, path) && nameOf(headers).startsWith("guest-1-");
  await eventually(() => line.count(isOfTheOther) === 3, "the window that stayed has all lines");
  line.release();
  await eventually(async () => (await client.names("inbox")).length >= 3, "the files of the window that stayed");
});
