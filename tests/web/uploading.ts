// What tests of uploads share: files of this machine, a slow line, and what is on it.
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import type { Client, Program } from "./program.ts";

export const MIB = 1024 * 1024;

export const grid = (page: Page) => page.getByRole("grid", { name: "Files" });
export const row = (page: Page, name: string) => grid(page).getByRole("row", { name, exact: true });
export const tasks = (page: Page) => page.getByRole("region", { name: "Tasks" });
export const upload = (page: Page, name: string) => tasks(page).getByRole("listitem").filter({ hasText: name });
export const filesInput = (page: Page) => page.locator("input[type=file][multiple]");
export const folderInput = (page: Page) => page.locator("input[webkitdirectory]");

export async function openTasks(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Tasks" }).click();
  await tasks(page).waitFor();
}

/** A file to choose; its path. */
export function fileOf(program: Program, name: string, content: string | Buffer): string {
  const path = join(program.folder, "chosen", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

export function largeFile(program: Program, name: string, mebibytes: number): { path: string; digest: string } {
  const content = randomBytes(mebibytes * MIB);
  return { path: fileOf(program, name, content), digest: digestOf(content) };
}

export function digestOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

export async function digestOn(client: Client, path: string): Promise<string> {
  const answer = await client.call("GET", `/api/v2/files/content?${new URLSearchParams({ path })}`);
  return digestOf(new Uint8Array(await answer.arrayBuffer()));
}

/** So many bytes a second go up; 0 for as many as there can. */
export async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond === 0 ? -1 : bytesPerSecond,
  });
}

/** The offsets at which bytes of uploads were sent on, from now on. */
export function offsetsOf(page: Page): number[] {
  const offsets: number[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH" && request.url().includes("/api/v2/uploads/")) {
      offsets.push(Number(request.headers()["upload-offset"]));
    }
  });
  return offsets;
}

/** Waits until so much of it is sent. */
export async function sentPercent(page: Page, name: string, least: number): Promise<void> {
  const bar = upload(page, name).getByRole("progressbar");
  await eventually(async () => Number(await bar.getAttribute("aria-valuenow")) >= least, `${name} has ${least} %`);
}
