import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { Scene } from "./scene.ts";
import { fileOf, filesInput, folderInput, openTasks, row, upload } from "./uploading.ts";

const scene = new Scene();

const question = (page: Page, name: string) => page.getByRole("alertdialog", { name: `“${name}” already exists` });

test("3: a taken name is asked about, with both items side by side", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.put("a.txt", "old"));
  await row(page, "a.txt").waitFor();
  const path = fileOf(scene.program, "a.txt", "the new one");
  await filesInput(page).setInputFiles(path);
  const dialog = question(page, "a.txt");
  await dialog.getByRole("region", { name: "In the folder" }).getByText("3.0 B").waitFor();
  await dialog.getByRole("region", { name: "New" }).getByText("11.0 B").waitFor();
  await dialog.getByRole("button", { name: "Keep both" }).click();
  await row(page, "a (2).txt").waitFor();
  assert.deepEqual([await client.text("a.txt"), await client.text("a (2).txt")], ["old", "the new one"]);

  await filesInput(page).setInputFiles(path);
  await dialog.getByRole("button", { name: "Replace" }).press("Enter");
  await eventually(async () => (await client.text("a.txt")) === "the new one", "the new content");

  await filesInput(page).setInputFiles(fileOf(scene.program, "a.txt", "never"));
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await client.text("a.txt"), "the new one");
});

test("3: an identical file is not newer, and the question says which folder and which second", async () => {
  const { page } = await scene.visitAs();
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  const path = fileOf(scene.program, "tree/inner/a.txt", "the same");
  // Servers keep whole seconds.
  utimesSync(path, 1_000_000_000.9, 1_000_000_000.9);
  const tree = dirname(dirname(path));
  await folderInput(page).setInputFiles(tree);
  await openTasks(page);
  await upload(page, "tree").getByText("Uploaded").waitFor();
  await folderInput(page).setInputFiles(tree);
  const dialog = question(page, "a.txt");
  await dialog.getByText("In “inner”").waitFor();
  await dialog.getByRole("region", { name: "New" }).getByText("1:46:40").waitFor();
  assert.equal(await dialog.getByText("newer").count(), 0);
});

test("3: one answer holds for all that follow, and what is skipped is told", async () => {
  const names = ["1.txt", "2.txt", "3.txt", "4.txt"];
  const { client, page } = await scene.visitAs(async (it) => {
    for (const name of names) await it.put(name, "old");
  });
  await row(page, "4.txt").waitFor();
  await filesInput(page).setInputFiles(names.map((name) => fileOf(scene.program, name, "new")));
  await question(page, "1.txt").getByRole("button", { name: "Replace" }).click();
  await question(page, "2.txt")
    .getByRole("checkbox", { name: /for all/ })
    .press("Space");
  await question(page, "2.txt").getByRole("button", { name: "Skip" }).click();
  await eventually(async () => (await client.text("1.txt")) === "new", "the one that is replaced");
  for (const name of names.slice(1)) assert.equal(await client.text(name), "old");
  await openTasks(page);
  await upload(page, "3.txt").getByText("Skipped: the name is taken.").first().waitFor();
});

test("3: a name that was taken only meanwhile is asked about too", async () => {
  const { client, page } = await scene.visitAs();
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  const path = fileOf(scene.program, "b.txt", "mine");
  let isFirst = true;
  // The page is told of it only after the upload has begun.
  await page.route("**/api/v2/uploads", async (route) => {
    if (isFirst) await client.put("b.txt", "of another");
    isFirst = false;
    await route.continue();
  });
  await filesInput(page).setInputFiles(path);
  await question(page, "b.txt").getByRole("button", { name: "Keep both" }).click();
  await row(page, "b (2).txt").waitFor();
  assert.deepEqual([await client.text("b.txt"), await client.text("b (2).txt")], ["of another", "mine"]);
});

test("3: copying asks the same, and a file never takes a folder's place", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    await it.makeFolder("target/both.txt");
    await it.put("target/a.txt", "old");
    await it.put("a.txt", "new");
    await it.put("both.txt", "a file");
  });
  await row(page, "a.txt").click();
  await row(page, "both.txt").click({ modifiers: ["Control"] });
  await page.getByRole("button", { name: "Copy to…" }).click();
  const tree = page.getByRole("dialog", { name: "Copy to…" });
  await tree.getByRole("row", { name: "target" }).click();
  await tree.getByRole("button", { name: "Copy here" }).click();
  await question(page, "a.txt").getByRole("button", { name: "Replace" }).click();
  assert.equal(await question(page, "both.txt").getByRole("button", { name: "Replace" }).isDisabled(), true);
  await question(page, "both.txt").getByRole("button", { name: "Keep both" }).click();
  await eventually(async () => (await client.names("target")).includes("both (2).txt"), "the second one");
  await eventually(async () => (await client.text("target/a.txt")) === "new", "the new content");
});
