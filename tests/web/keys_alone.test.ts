import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { CDPSession, Page } from "playwright-core";
import { becomes, row, selected, shows } from "./list.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const MOST_TABS = 60;

/** Tab, until what has the focus is called so. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    });
    if (focused === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${name}`);
}

async function pressed(page: Page, ...presses: string[]): Promise<void> {
  for (const one of presses) await page.keyboard.press(one);
}

async function typed(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name: field }).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** The menu of what has the focus in the list, and its item that begins with some letters. */
async function inMenu(page: Page, letters: string): Promise<void> {
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menu").waitFor();
  await page.keyboard.type(letters);
  await page.keyboard.press("Enter");
}

test("8: a menu that opens for the first time gives the focus back to its button", async () => {
  const { page } = await scene.visitAs(async (it) => it.put("a.txt"));
  await row(page, "a.txt").waitFor();
  for (const name of ["Columns", /^Account of/]) {
    await page.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await becomes(() => page.getByRole("button", { name }).evaluate((one) => one === document.activeElement), true);
  }
});

test("8: the focus stays on the page when the last item of a folder goes", async () => {
  const { page } = await scene.visitAs(async (it) => it.put("a.txt"));
  await row(page, "a.txt").click();
  await page.keyboard.press("Delete");
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await becomes(() => page.evaluate(() => document.activeElement?.textContent), "New folder");
});

test("8: every operation on files works by keys alone", async () => {
  const { client, page } = await scene.visitAs();
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await tabTo(page, "New folder");
  await page.keyboard.press("Enter");
  await typed(page, "Name", "album");
  await row(page, "album").waitFor();
  await tabTo(page, "New file");
  await page.keyboard.press("Enter");
  await typed(page, "Name", "a.txt");
  await row(page, "a.txt").waitFor();

  // Into the list, to the file, and another name for it.
  await tabTo(page, "album");
  await pressed(page, "ArrowDown");
  await becomes(() => selected(page), ["a.txt"]);
  await pressed(page, "F2");
  await page.getByRole("textbox", { name: "New name" }).waitFor();
  await page.keyboard.type("b");
  await pressed(page, "Enter");
  await shows(page, ["album", "b.txt"]);

  // A copy beside it, which is deleted, and comes back.
  await pressed(page, "Control+c", "Control+v");
  await becomes(async () => (await client.names()).length, 3);
  await pressed(page, "Delete");
  await becomes(async () => (await client.names()).length, 2);
  await tabTo(page, "Undo");
  await pressed(page, "Enter");
  await becomes(async () => (await client.names()).length, 3);

  // Moved by "Move to…", and by cutting and pasting.
  await row(page, "b.txt").focus();
  await becomes(() => row(page, "b.txt").evaluate((one) => one === document.activeElement), true);
  await inMenu(page, "Mo");
  const dialog = page.getByRole("dialog", { name: "Move to…" });
  await dialog.getByRole("row", { name: "album" }).waitFor();
  await tabTo(page, "My files");
  await pressed(page, "ArrowDown");
  await tabTo(page, "Move here");
  await pressed(page, "Enter");
  await becomes(() => client.names("album"), ["b.txt"]);

  // Downloaded by the menu.
  const [rest = ""] = (await client.names()).filter((name) => name !== "album");
  await row(page, rest).focus();
  const [download] = await Promise.all([page.waitForEvent("download"), inMenu(page, "Do")]);
  assert.equal(download.suggestedFilename(), rest);
  assert.equal((await readFile(await download.path())).length, 0);
});

/** What has the focus, by its name. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);

test("8: Enter on a folder leaves the focus in its list, and the way back leads to the folder", async () => {
  const { page } = await scene.visitAs(async (it) => {
    for (const path of ["album/beach", "album/city", "book"]) await it.makeFolder(path);
  });
  await row(page, "album").focus();
  await pressed(page, "ArrowDown", "Enter");
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await pressed(page, "Tab");
  await becomes(() => focused(page), "My files");
  await page.goBack();
  await becomes(() => focused(page), "book");
  await pressed(page, "ArrowUp", "Enter");
  await becomes(() => focused(page), "beach");
  await pressed(page, "ArrowDown");
  await becomes(() => selected(page), ["city"]);
  // By the path, which goes with the list, and as tiles.
  await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "My files" }).press("Enter");
  await becomes(() => focused(page), "album");
  await inMenu(page, "Op");
  await becomes(() => focused(page), "beach");
  await page.getByRole("button", { name: "Grid view" }).press("Enter");
  await page.getByRole("button", { name: "Grid view", pressed: true }).waitFor();
  assert.equal(await focused(page), "Grid view");
  await row(page, "city").press("Enter");
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await page.goBack();
  await becomes(() => focused(page), "city");
});

test("8: a page that is opened anew leaves the focus at its top", async () => {
  const { page } = await scene.visitAs((it) => it.put("a.txt"));
  await row(page, "a.txt").waitFor();
  await pressed(page, "Tab");
  await becomes(() => focused(page), "Skip to content");
});

/** Ctrl and a key of another keyboard than the one here: what it types, and its place. */
async function pressControl(devtools: CDPSession, key: string, code: string): Promise<void> {
  const press = { key, code, modifiers: 2, windowsVirtualKeyCode: code.charCodeAt(3) };
  await devtools.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...press });
  await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", ...press });
}

for (const [alphabet, a, c, v] of [
  ["Cyrillic", "ф", "с", "м"],
  ["Greek", "α", "ψ", "ω"],
] as const) {
  test(`8: shortcuts work with a ${alphabet} keyboard`, async () => {
    const { client, page } = await scene.visitAs(async (it) => {
      for (const name of ["a.txt", "b.txt", "binned.txt"]) await it.put(name);
      await it.call("POST", "/api/v2/tasks", JSON.stringify({ kind: "delete", sources: ["binned.txt"] }));
    });
    const devtools = await page.context().newCDPSession(page);
    await row(page, "a.txt").click();
    await pressControl(devtools, a, "KeyA");
    await becomes(() => selected(page), ["a.txt", "b.txt"]);
    await pressControl(devtools, c, "KeyC");
    await page.getByText("2 items copied").waitFor();
    await pressControl(devtools, v, "KeyV");
    await becomes(async () => (await client.names()).length, 4);

    await page.goto("/bin");
    const binned = page.getByRole("grid", { name: "Bin" }).getByRole("row", { name: "binned.txt" });
    await binned.focus();
    await pressControl(devtools, a, "KeyA");
    await becomes(() => binned.getAttribute("aria-selected"), "true");
  });
}

test("16: Ctrl+S stores with a Cyrillic keyboard", async () => {
  const { client, page } = await scene.visitAs((it) => it.put("a.txt", "old"));
  await page.goto("/files/?preview=a.txt&edit=true");
  await page.locator(".cm-content").click();
  await page.keyboard.type("new ");
  await pressControl(await page.context().newCDPSession(page), "ы", "KeyS");
  await becomes(async () => (await client.text("a.txt")).includes("new"), true);
});

test("8: keys that belong to an input method do nothing else", async () => {
  const { client, page } = await scene.visitAs((it) => it.put("a.txt"));
  await row(page, "a.txt").click();
  await pressed(page, "F2");
  const field = page.getByRole("textbox", { name: "New name" });
  await field.waitFor();
  const devtools = await page.context().newCDPSession(page);
  const composed = async (key: string) => {
    await devtools.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
    const press = { key, code: key, windowsVirtualKeyCode: 229 };
    await devtools.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...press });
    await devtools.send("Input.insertText", { text: "日" });
  };
  await page.keyboard.press("Control+a");
  await composed("Enter");
  await composed("Escape");
  assert.equal(await field.inputValue(), "日日");
  await pressed(page, "Enter");
  await becomes(() => client.names(), ["日日"]);

  // Neither does the search box lose what is being written.
  await page.getByRole("searchbox", { name: "Search" }).focus();
  await composed("Enter");
  await composed("ArrowDown");
  assert.equal(await focused(page), "Search");
  assert.equal(await page.getByRole("searchbox", { name: "Search" }).inputValue(), "日日");
});
