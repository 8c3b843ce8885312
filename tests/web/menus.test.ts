import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { assertAccessible } from "./axe.ts";
import { becomes, row, selected, shows } from "./list.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

async function prepare(it: Client): Promise<void> {
  await it.makeFolder("album");
  for (const name of ["a.txt", "b.txt", "c.txt"]) await it.put(name, name);
}

const menu = (page: Page, name: string | RegExp) => page.getByRole("menu", { name });
const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });

/** A finger rests on it until `isThere` is seen, and is lifted. */
async function hold(page: Page, target: Locator, isThere: Locator): Promise<void> {
  const box = await target.boundingBox();
  const touchPoints = [{ x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }];
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await isThere.waitFor();
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

test("8: a right click opens the menu of an item, or of all that are selected", async () => {
  const { client, page } = await scene.visitAs(prepare);
  await row(page, "b.txt").click({ button: "right" });
  await menu(page, "Actions for b.txt").waitFor();
  await becomes(() => selected(page), ["b.txt"]);
  await assertAccessible(page, "the menu of an item");
  await item(page, "Rename").click();
  await page.getByRole("textbox", { name: "New name" }).pressSequentially("new");
  await page.keyboard.press("Enter");
  await shows(page, ["album", "a.txt", "c.txt", "new.txt"]);

  await row(page, "a.txt").click();
  await row(page, "c.txt").click({ modifiers: ["Control"] });
  await row(page, "c.txt").click({ button: "right" });
  await menu(page, "2 selected").waitFor();
  assert.equal(await item(page, "Rename").getAttribute("aria-disabled"), "true");
  assert.equal(await item(page, "Open").count(), 0);
  await item(page, "Delete").click();
  await page.getByText("2 items are in the bin").waitFor();
  await shows(page, ["album", "new.txt"]);
  await row(page, "album").click({ button: "right" });
  await item(page, "Open").click();
  await page.waitForURL("**/files/album");
  assert.deepEqual(await client.names(), ["album", "new.txt"]);
});

for (const key of ["Shift+F10", "ContextMenu"]) {
  test(`8: ${key} opens the menu, which is used by keys and gives the focus back`, async () => {
    const { client, page } = await scene.visitAs(prepare);
    await row(page, "b.txt").click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press(key);
    await menu(page, "Actions for c.txt").waitFor();
    await page.keyboard.press("Escape");
    await menu(page, "Actions for c.txt").waitFor({ state: "detached" });
    await becomes(() => row(page, "c.txt").evaluate((one) => one === document.activeElement), true);
    await page.keyboard.press(key);
    // Keys go to what has the focus, which a menu takes only after it is seen.
    await menu(page, "Actions for c.txt").locator(":focus").waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.getByText("“c.txt” is in the bin").waitFor();
    await becomes(() => client.names(), ["album", "a.txt", "b.txt"]);
  });
}

for (const view of ["list", "grid"]) {
  test(`8: a long touch opens the menu of the ${view}, and a short one the item`, async () => {
    const look = { width: 360, height: 740, touch: true };
    const { client, page } = await scene.visitAs(prepare, look);
    if (view === "grid") await page.getByRole("button", { name: "Grid view" }).tap();
    const height = async () => (await row(page, "b.txt").boundingBox())?.height ?? 0;
    await becomes(async () => (await height()) > 100, view === "grid");
    const hidden = { includeHidden: true };
    const button = (name: string) =>
      page.getByRole("toolbar", hidden).getByRole("button", { ...hidden, name, exact: true });
    const shown = async () => [await button("Upload").isVisible(), await button("Download").isVisible()];
    assert.deepEqual(await shown(), [true, false]);
    await hold(page, row(page, "b.txt"), menu(page, "Actions for b.txt"));
    await becomes(() => selected(page), ["b.txt"]);
    assert.deepEqual(await shown(), [false, true]);
    await item(page, "Delete").tap();
    await page.getByText("“b.txt” is in the bin").waitFor();
    await becomes(() => client.names(), ["album", "a.txt", "c.txt"]);
    await row(page, "album").tap();
    await page.waitForURL("**/files/album");
  });
}

test("8: items of the bin have the menu too", async () => {
  const { client, page } = await scene.visitAs(prepare);
  await row(page, "a.txt").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.getByText("4 items are in the bin").waitFor();
  await page.goto("/bin");
  const binned = (name: string) => page.getByRole("grid", { name: "Bin" }).getByRole("row", { name, exact: true });
  await binned("b.txt").click({ button: "right" });
  await menu(page, "Actions for b.txt").waitFor();
  await assertAccessible(page, "the menu of the bin");
  await item(page, "Restore").click();
  await page.getByText("1 item is back").waitFor();
  await binned("a.txt").click();
  await page.keyboard.press("Shift+F10");
  await item(page, "Restore").press("Enter");
  await becomes(() => client.names(), ["a.txt", "b.txt"]);
});

test("4: an archive is unpacked into a folder of its name, and again beside it", async () => {
  const folder = join(scene.program.folder, "to pack");
  mkdirSync(folder);
  writeFileSync(join(folder, "inner.txt"), "of the archive");
  execFileSync("zip", ["-q", "-r", "../packed.zip", "inner.txt"], { cwd: folder });
  const archive = new Uint8Array(readFileSync(join(scene.program.folder, "packed.zip")));
  const { client, page } = await scene.visitAs(async (it) => it.put("packed.zip", archive));
  await row(page, "packed.zip").click({ button: "right" });
  await item(page, "Unpack").click();
  await page.getByText("1 archive unpacked").waitFor();
  await shows(page, ["packed", "packed.zip"]);
  assert.equal(await client.text("packed/inner.txt"), "of the archive");
  await row(page, "packed.zip").click();
  await page.keyboard.press("Shift+F10");
  await item(page, "Unpack").press("Enter");
  await shows(page, ["packed", "packed (2)", "packed.zip"]);
  await becomes(() => client.names("packed (2)"), ["inner.txt"]);
});

test("9: a failed task speaks the person's language", async () => {
  const { page } = await scene.visitAs(async (it) => it.put("broken.zip", "no archive"), { language: "de-DE" });
  await page.getByRole("row", { name: "broken.zip" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Entpacken", exact: true }).click();
  const reason = "Es ist beschädigt oder kein Archiv, das hier entpackt werden kann.";
  await page.getByRole("alert").or(page.getByRole("alertdialog")).getByText(reason).first().waitFor();
  await page.getByRole("button", { name: "Aufgaben" }).click();
  await page.getByText(`Fehlgeschlagen: ${reason}`).waitFor();
});

test("22: where one may only read, what would change something is off, and says why", async () => {
  const account = scene.program.addAccount();
  const target = join(scene.program.folder, "readable");
  mkdirSync(target, { mode: 0o755 });
  writeFileSync(join(target, "plan.txt"), "plan");
  scene.program.command(["share", "add", "--name", "Plans", "--target", target, "--account", account, "--read-only"]);
  const visit = await scene.visit();
  const { page } = visit;
  await visit.signIn(account);
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Plans" }).click();
  await row(page, "plan.txt").click();
  const why = await page.getByText("You may only read here").getAttribute("id");
  for (const name of ["Upload", "New folder", "New file"]) {
    const button = page.getByRole("button", { name, exact: true });
    assert.equal(await button.isDisabled(), true, name);
    assert.equal(await button.getAttribute("aria-describedby"), why, name);
  }
  for (const name of ["Rename", "Move to…", "Delete"]) {
    assert.equal(await page.getByRole("button", { name, exact: true }).isDisabled(), true, name);
  }
  assert.equal(await page.getByRole("button", { name: "Copy to…" }).isDisabled(), false);
  await assertAccessible(page, "a location that is only read");
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await page.getByRole("alert").or(page.getByRole("alertdialog")).getByText("You may only read here").waitFor();

  // What is copied from there goes elsewhere.
  await page.getByRole("button", { name: "Copy to…" }).click();
  const dialog = page.getByRole("dialog", { name: "Copy to…" });
  for (const name of ["New folder", "Copy here"]) {
    assert.equal(await dialog.getByRole("button", { name }).isDisabled(), true, name);
  }
  await dialog.getByRole("row", { name: "My files" }).click();
  await dialog.getByRole("button", { name: "New folder" }).click();
  await page.keyboard.type("copies");
  await page.keyboard.press("Enter");
  await dialog.getByRole("row", { name: "copies", selected: true }).waitFor();
  await dialog.getByRole("button", { name: "Copy here" }).click();
  await page.getByText("1 item copied", { exact: true }).waitFor();
  assert.equal(await scene.program.client(account).text("copies/plan.txt"), "plan");
});
