import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { BROWSER } from "./browser.ts";
import { Program } from "./program.ts";
import {
  digestOn,
  filesInput,
  largeFile,
  MIB,
  offsetsOf,
  openTasks,
  row,
  sentPercent,
  slowDown,
  upload,
} from "./uploading.ts";

const MEBIBYTES = 300;
const program = new Program();
const profile = mkdtempSync(join(tmpdir(), "coffer-profile-"));
let context: BrowserContext | null = null;

before(async () => {
  await program.start();
});
after(async () => {
  await context?.close().catch(() => {});
  await program.remove();
  rmSync(profile, { recursive: true, force: true });
});

/** A browser that finds what an earlier one of the same person has left. */
async function openBrowser(): Promise<Page> {
  context = await chromium.launchPersistentContext(profile, {
    executablePath: BROWSER,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
    baseURL: program.url,
    locale: "en-US",
    serviceWorkers: "block",
  });
  return context.pages()[0] ?? (await context.newPage());
}

/** What is left is asked for again; it goes on. */
async function choosesAgain(page: Page, path: string): Promise<number[]> {
  await openTasks(page);
  await upload(page, "film.bin").getByText("Choose the 1 file again").waitFor();
  await slowDown(page, 60 * MIB);
  const offsets = offsetsOf(page);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    upload(page, "film.bin").getByRole("button", { name: "Choose again" }).click(),
  ]);
  await chooser.setFiles(path);
  return offsets;
}

test("2: 300 MiB go on after a reload, a crash of the browser and one of the server, and nothing is sent twice", async () => {
  const account = program.addAccount();
  const client = program.client(account);
  const { path, digest } = largeFile(program, "film.bin", MEBIBYTES);
  let page = await openBrowser();
  const data = { userName: account, password: "correct horse battery" };
  assert.equal((await page.request.post("/api/v2/session", { data })).status(), 200);
  await page.goto("/files/");
  await openTasks(page);
  await slowDown(page, 60 * MIB);
  await filesInput(page).setInputFiles(path);
  await sentPercent(page, "film.bin", 15);

  await page.reload();
  const afterReload = await choosesAgain(page, path);
  await sentPercent(page, "film.bin", 35);

  const gone = new Promise((settle) => context?.once("close", settle));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Browser.crash").catch(() => {});
  await gone;
  page = await openBrowser();
  // Cookies of a session end with the browser.
  assert.equal((await page.request.post("/api/v2/session", { data })).status(), 200);
  await page.goto("/files/");
  const afterCrash = await choosesAgain(page, path);
  await sentPercent(page, "film.bin", 60);

  await program.stop("SIGKILL");
  await upload(page, "film.bin").getByText("The server cannot be reached.").waitFor();
  const afterKill = offsetsOf(page);
  await program.start();
  await row(page, "film.bin").waitFor({ timeout: 120_000 });
  assert.equal(await digestOn(client, "film.bin"), digest);
  const [reload = 0, crash = 0, kill = 0] = [afterReload, afterCrash, afterKill].map((offsets) => Math.min(...offsets));
  console.log(`went on at ${[reload, crash, kill].map((bytes) => `${Math.round(bytes / MIB)} MiB`).join(", ")}`);
  const least = [0.1, 0.3, 0.55].map((share) => share * MEBIBYTES * MIB);
  assert.ok(
    reload >= (least[0] ?? 0) && crash >= (least[1] ?? 0) && kill >= (least[2] ?? 0),
    `${[reload, crash, kill]}`,
  );
});
