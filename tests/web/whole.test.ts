// What acts on all of a list acts on all of it, also while it is loading.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page, Route } from "playwright-core";
import { becomes, grid, row } from "./list.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
/** More than the first page of a listing has. */
const FILES = 450;

const isFurther = (url: URL): boolean => url.pathname === "/api/v2/files" && url.searchParams.has("cursor");

/** A share with many files, whose listing behind its first page is answered by `further`. */
async function openShare(name: string, further: (route: Route) => unknown): Promise<{ page: Page; target: string }> {
  const account = scene.program.addAccount();
  const target = join(scene.program.folder, name);
  mkdirSync(target, { mode: 0o777 });
  for (let number = 0; number < FILES; number += 1) writeFileSync(join(target, `${number}.txt`), "x".repeat(number));
  scene.program.command(["share", "add", "--name", name, "--target", target, "--account", account]);
  const visit = await scene.visit();
  await visit.beginSession(account);
  const { page } = visit;
  await page.route(isFurther, further);
  await page.goto("/files/");
  await row(page, name).dblclick();
  await row(page, "0.txt").waitFor();
  return { page, target };
}

const has = (page: Page, count: number) => becomes(() => grid(page).getAttribute("aria-rowcount"), String(count));

test("5: what is done with all while the folder is loading is done with all of it", async () => {
  let release = () => {};
  const released = new Promise<void>((settle) => {
    release = settle;
  });
  const { page, target } = await openShare("Loading", async (route) => {
    await released;
    await route.continue();
  });
  await row(page, "0.txt").click();
  await page.keyboard.press("Control+a");
  await page.getByText("200 items… · All selected").waitFor();
  await page.keyboard.press("Delete");
  await page.getByText("Waiting for the rest of the list").waitFor();
  assert.equal(readdirSync(target).filter((one) => one.endsWith(".txt")).length, FILES);
  const isDragged = await row(page, "0.txt").evaluate((element) =>
    element.dispatchEvent(
      new DragEvent("dragstart", { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() }),
    ),
  );
  assert.equal(isDragged, false);
  release();
  await page.getByText(`${FILES} items are in the bin`).waitFor();
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  assert.deepEqual(
    readdirSync(target).filter((one) => one.endsWith(".txt")),
    [],
  );
});

test("5: what waits for the rest of a folder is given up where one searches meanwhile", async () => {
  let release = () => {};
  const released = new Promise<void>((settle) => {
    release = settle;
  });
  const { page, target } = await openShare("Given up", async (route) => {
    await released;
    await route.continue();
  });
  await row(page, "0.txt").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  const note = page.getByText("Waiting for the rest of the list");
  await note.waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("1");
  await note.waitFor({ state: "detached" });
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  release();
  await has(page, FILES);
  assert.equal(readdirSync(target).filter((one) => one.endsWith(".txt")).length, FILES);
});

test("5: what is copied while its folder is loading is there for another folder", async () => {
  let release = () => {};
  const released = new Promise<void>((settle) => {
    release = settle;
  });
  const { page } = await openShare("Copied", async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  await row(page, "0.txt").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  await page.getByText("Waiting for the rest of the list").waitFor();
  await page.getByRole("navigation", { name: "Path" }).getByRole("link").first().click();
  await page.getByRole("row", { name: "Copied" }).waitFor();
  release();
  await page.getByText(`${FILES} items copied. Paste`).waitFor();
});

test("21: what is done with all that a search finds waits for its end", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    await it.makeFolder("below");
    for (const path of ["wanted 1.txt", "wanted 3.txt", "below/wanted 2.txt", "other.txt"]) await it.put(path);
  });
  let release = () => {};
  const released = new Promise<void>((settle) => {
    release = settle;
  });
  await page.route("**/api/v2/search**", async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole("searchbox", { name: "Search" }).fill("wanted");
  await row(page, "other.txt").waitFor({ state: "detached" });
  await page.getByText("Searching").waitFor();
  await row(page, "wanted 1.txt").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.getByText("Waiting for the rest of the list").waitFor();
  release();
  await page.getByText("3 items are in the bin").waitFor();
  assert.deepEqual([await client.names(), await client.names("below")], [["below", "other.txt"], []]);
});

test("22: a folder of which a part cannot be loaded says so", async () => {
  let isRefused = true;
  const { page } = await openShare("Broken", async (route) => {
    const body = JSON.stringify({ code: "forbidden", detail: "no" });
    if (isRefused) await route.fulfill({ status: 403, contentType: "application/problem+json", body });
    else await route.continue();
  });
  const alert = page.getByRole("alert").filter({ hasText: "The rest of the list could not be loaded." });
  await alert.waitFor();
  await has(page, 200);
  isRefused = false;
  const retry = alert.getByRole("button", { name: "Try again" });
  // An event of the folder may have it loaded before the button is pressed.
  await Promise.any([retry.click(), alert.waitFor({ state: "detached" })]);
  await has(page, FILES);
  await alert.waitFor({ state: "detached" });
});

test("17: another order of a long folder begins at its top, and what was selected stays so", async () => {
  const { page } = await openShare("Sorted", (route) => route.continue());
  await has(page, FILES);
  await row(page, "0.txt").click();
  await page.keyboard.press("End");
  await row(page, `${FILES - 1}.txt`).waitFor();
  await page.getByRole("button", { name: "Sort by Size" }).click();
  await page.getByRole("button", { name: "Sort by Size", pressed: true }).waitFor();
  await row(page, "0.txt").waitFor();
  await has(page, FILES);
  await page.evaluate(() => new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle))));
  assert.equal(await grid(page).evaluate((element) => element.scrollTop), 0);
  await page.getByText(`${FILES} items · 1 selected`).waitFor();
});
