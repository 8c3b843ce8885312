import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./axe.ts";
import { row } from "./list.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";

const secrets = mkdtempSync(join(tmpdir(), "coffer-key-"));
writeFileSync(join(secrets, "key"), "tester\nnone\n");
after(() => rmSync(secrets, { recursive: true }));

// Nothing answers there. Small files need no more than the catalog.
const scene = new Scene(`home_store = "objects"
objects_endpoint = "http://127.0.0.1:9"
objects_bucket = "none"
objects_credentials_file = "${secrets}/key"
`);
const onPlainFiles = new Scene();

const panel = (page: Page) => page.getByRole("complementary", { name: "Details" });
const region = (page: Page) => panel(page).getByRole("region", { name: "Versions" });
const items = (page: Page) => region(page).getByRole("listitem");
const button = (page: Page, number: number, name: string) =>
  items(page).nth(number).getByRole("button", { name, exact: true });

async function write(client: Client): Promise<void> {
  for (const text of ["first", "second", "third"]) await client.put("notes.txt", `the ${text} text`);
}

async function openDetails(page: Page): Promise<void> {
  await page.goto("/files/?details=true");
  await row(page, "notes.txt").click();
}

test("5: the details of another file are its own alone", async () => {
  const { page } = await scene.visitAs(async (client) => {
    await write(client);
    await client.put("other.txt");
  });
  await openDetails(page);
  await items(page).nth(1).waitFor();
  const sections = () => panel(page).getByRole("region").getByRole("heading").allTextContents();
  assert.deepEqual(await sections(), ["Shared with", "Versions"]);
  await row(page, "other.txt").click();
  await region(page).getByText("When this file is replaced").waitFor();
  assert.deepEqual(await sections(), ["Shared with", "Versions"]);
});

test("5: what a file was before it was replaced is shown, and restored", async () => {
  const { account, client, page } = await scene.visitAs(write);
  await openDetails(page);
  await items(page).nth(1).waitFor();
  assert.equal(await items(page).count(), 2);
  await items(page).first().getByText("15.0 B").waitFor();
  await items(page).first().getByText(`by ${account}, with an API key`).waitFor();
  await assertAccessibleInBoth(page, "the versions of a file");
  await button(page, 1, "Open").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("the first text").waitFor();
  await assertAccessibleInBoth(page, "the preview of a version");
  await dialog.getByRole("button", { name: "Close" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, 1, "Download").click()]);
  assert.equal(download.suggestedFilename(), "notes.txt");
  assert.equal(readFileSync(await download.path(), "utf8"), "the first text");
  await button(page, 1, "Restore").click();
  await page.getByText("“notes.txt” has that content again").waitFor();
  assert.equal(await client.text("notes.txt"), "the first text");
  assert.equal(await items(page).count(), 2);
});

test("5: a version is deleted for good after a question, by keys alone", async () => {
  const { page } = await scene.visitAs(write);
  await openDetails(page);
  await items(page).nth(1).waitFor();
  await button(page, 0, "Delete").focus();
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog", { name: "Delete this version?" });
  await question.getByRole("button", { name: "Cancel" }).press("Enter");
  await question.waitFor({ state: "detached" });
  assert.equal(await items(page).count(), 2);
  await button(page, 0, "Delete").press("Enter");
  await question.getByRole("button", { name: "Delete" }).press("Enter");
  await question.waitFor({ state: "detached" });
  await items(page).nth(1).waitFor({ state: "detached" });
  await button(page, 0, "Open").click();
  await page.getByRole("dialog").getByText("the first text").waitFor();
});

test("14: versions appear without a reload", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.put("notes.txt", "one"));
  await openDetails(page);
  await region(page).getByText("When this file is replaced").waitFor();
  await client.put("notes.txt", "another");
  await items(page).first().waitFor();
  assert.equal(await items(page).count(), 1);
});

test("5: plain files and folders have no versions to show", async () => {
  const { page } = await onPlainFiles.visitAs(write);
  await openDetails(page);
  await panel(page).getByText("TXT", { exact: true }).waitFor();
  assert.equal(await region(page).count(), 0);
  const other = await scene.visitAs((it) => it.makeFolder("folder"));
  await other.page.goto("/files/?details=true");
  await row(other.page, "folder").click();
  await panel(other.page).getByText("Folder", { exact: true }).waitFor();
  assert.equal(await region(other.page).count(), 0);
});
