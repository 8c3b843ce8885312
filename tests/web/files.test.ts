import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { becomes } from "./list.ts";
import { Scene } from "./scene.ts";
import { WebdavServer } from "./webdav_server.ts";

const scene = new Scene();

const grid = (page: Page) => page.getByRole("grid", { name: "Files" });
const row = (page: Page, name: string) => grid(page).getByRole("row", { name, exact: true });

async function names(page: Page, selected?: true): Promise<(string | null)[]> {
  return grid(page)
    .getByRole("row", selected && { selected })
    .evaluateAll((rows) => rows.map((one) => one.getAttribute("aria-label")));
}

/** In the end; `selected` looks at those rows alone. */
async function shows(page: Page, wanted: string[], selected?: true): Promise<void> {
  await eventually(async () => {
    assert.deepEqual(await names(page, selected), wanted);
    return true;
  }, "the list shows them");
}

async function pressed(page: Page, ...presses: string[]): Promise<void> {
  for (const one of presses) await page.keyboard.press(one);
}

test("8: a folder and a file are made, each with a dialog", async () => {
  const { client, page } = await scene.visitAs();
  await page.getByRole("button", { name: "New folder" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("holiday");
  await dialog.getByRole("button", { name: "Create" }).click();
  await row(page, "holiday").waitFor();
  await page.getByRole("button", { name: "New file" }).click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("a/b");
  await page.keyboard.press("Enter");
  await dialog.getByText("A name cannot contain").waitFor();
  await dialog.getByRole("textbox", { name: "Name" }).fill("holiday");
  await page.keyboard.press("Enter");
  await dialog.getByText("“holiday” already exists here.").waitFor();
  await dialog.getByRole("textbox", { name: "Name" }).fill("notes.txt");
  await page.keyboard.press("Enter");
  await shows(page, ["holiday", "notes.txt"]);
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(await client.names(), ["holiday", "notes.txt"]);
  assert.equal(await client.text("notes.txt"), "");
});

test("13: renaming in place selects the name without its extension, by mouse and by key", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.put("photo.old.jpg"));
  await row(page, "photo.old.jpg").click();
  await page.getByRole("button", { name: "Rename" }).click();
  const field = page.getByRole("textbox", { name: "New name" });
  await field.pressSequentially("sunset");
  await page.keyboard.press("Enter");
  await shows(page, ["sunset.jpg"]);
  await page.keyboard.press("F2");
  await field.pressSequentially("dawn");
  await page.keyboard.press("Enter");
  await shows(page, ["dawn.jpg"]);
  await page.keyboard.press("F2");
  await field.pressSequentially("never");
  await page.keyboard.press("Escape");
  await shows(page, ["dawn.jpg"]);
  await eventually(async () => (await client.names())[0] === "dawn.jpg", "the server has the new name");
});

test("13: a refused new name is taken back with the reason, and the keys stay with the item", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    await it.put("a.txt");
    await it.put("b.txt");
  });
  await row(page, "b.txt").click();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New name" }).fill("a.txt");
  await page.keyboard.press("Enter");
  await page.getByText("“b.txt” keeps its name. The name is taken here.").waitFor();
  await shows(page, ["a.txt", "b.txt"]);
  await page.keyboard.press("Delete");
  await shows(page, ["a.txt"]);
  await eventually(async () => (await client.names()).length === 1, "the server has deleted it");
  assert.deepEqual(await client.names(), ["a.txt"]);
});

test("13: a new name that only the server refuses is taken back, with selection and focus", async () => {
  const { page } = await scene.visitAs(async (it) => {
    await it.put("a.txt");
    await it.put("b.txt");
  });
  let refuse = () => {};
  const asked = new Promise<void>((settle) => {
    refuse = settle;
  });
  await page.route("**/api/v2/files", async (route) => {
    await asked;
    await route.abort();
  });
  await row(page, "b.txt").click();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New name" }).fill("c.txt");
  await page.keyboard.press("Enter");
  await shows(page, ["a.txt", "c.txt"]);
  refuse();
  await page.locator('[role="row"][aria-selected="true"]:focus', { hasText: "b.txt" }).waitFor();
  await page.unrouteAll({ behavior: "wait" });
});

test("5: what is deleted comes back by Undo, by mouse and by key", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    for (const name of ["a.txt", "b.txt", "c.txt"]) await it.put(name, name);
  });
  await row(page, "b.txt").click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("“b.txt” is in the bin").waitFor();
  await shows(page, ["a.txt", "c.txt"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await shows(page, ["a.txt", "b.txt", "c.txt"]);
  assert.equal(await client.text("b.txt"), "b.txt");

  await row(page, "a.txt").click();
  await pressed(page, "Control+a", "Delete");
  await page.getByText("3 items are in the bin").waitFor();
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await shows(page, ["a.txt", "b.txt", "c.txt"]);
});

test("8: the list is walked through by keys alone", async () => {
  const { page } = await scene.visitAs(async (it) => {
    await it.makeFolder("album");
    await it.put("album/inner.txt");
    for (const name of ["b.txt", "beta.txt", "c.txt", "d.txt"]) await it.put(name);
  });
  await row(page, "album").click();
  await pressed(page, "ArrowDown", "Shift+ArrowDown");
  await shows(page, ["b.txt", "beta.txt"], true);
  await pressed(page, "End");
  await shows(page, ["d.txt"], true);
  await page.keyboard.type("bet");
  await shows(page, ["beta.txt"], true);
  await pressed(page, "Control+a");
  await shows(page, ["album", "b.txt", "beta.txt", "c.txt", "d.txt"], true);
  await pressed(page, "Escape");
  await shows(page, [], true);
  await pressed(page, "Home", "Enter");
  await page.waitForURL("**/files/album");
  await row(page, "inner.txt").waitFor();
  await page.goBack();
  await row(page, "album").waitFor();
});

/** The dialog that asks where a file goes. */
async function moving(page: Page, name: string): Promise<Locator> {
  await row(page, name).click();
  await page.getByRole("button", { name: "Move to…" }).click();
  return page.getByRole("dialog", { name: "Move to…" });
}

test("11: files are moved and copied to a folder of the tree, by mouse and by keys", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    await it.makeFolder("album/2026");
    await it.put("a.txt", "of a");
    await it.put("b.txt", "of b");
  });
  const dialog = await moving(page, "a.txt");
  await dialog.getByRole("row", { name: "album" }).click();
  await dialog.getByRole("button", { name: "Move here" }).click();
  await page.getByText("1 item moved").waitFor();
  await shows(page, ["album", "b.txt"]);

  await row(page, "b.txt").click();
  await page.getByRole("button", { name: "Copy to…" }).focus();
  await page.keyboard.press("Enter");
  const copy = page.getByRole("dialog", { name: "Copy to…" });
  await copy.getByRole("row", { name: "My files" }).focus();
  await copy.getByRole("row", { name: "album" }).waitFor();
  await pressed(page, "ArrowDown", "ArrowRight");
  await copy.getByRole("row", { name: "2026" }).waitFor();
  await pressed(page, "ArrowDown", "Enter");
  await copy.getByRole("button", { name: "Copy here" }).press("Enter");
  await page.getByText("1 item copied").waitFor();
  assert.deepEqual(await client.names("album"), ["2026", "a.txt"]);
  assert.deepEqual(await client.names("album/2026"), ["b.txt"]);
  assert.equal(await client.text("album/2026/b.txt"), "of b");
});

test("11: the folder where something goes is made on the way there, by mouse and by keys", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    await it.makeFolder("album/2025");
    await it.put("a.txt");
    await it.put("b.txt");
  });
  const dialog = await moving(page, "a.txt");
  await dialog.getByRole("row", { name: "album" }).click();
  await dialog.getByRole("button", { name: "New folder" }).click();
  const naming = page.getByRole("dialog", { name: "New folder" });
  await naming.getByRole("textbox", { name: "Name" }).fill("2025");
  await naming.getByRole("button", { name: "Create" }).click();
  await naming.getByText("“2025” already exists here.").waitFor();
  await naming.getByRole("textbox", { name: "Name" }).fill("2026");
  await naming.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("row", { name: "2026", selected: true }).waitFor();
  await dialog.getByRole("row", { name: "2025", selected: false }).waitFor();
  await dialog.getByRole("button", { name: "Move here" }).click();
  await page.getByText("1 item moved").waitFor();
  assert.deepEqual(await client.names("album/2026"), ["a.txt"]);

  await row(page, "b.txt").click();
  await page.getByRole("button", { name: "Copy to…" }).focus();
  await page.keyboard.press("Enter");
  const copy = page.getByRole("dialog", { name: "Copy to…" });
  await copy.getByRole("button", { name: "New folder" }).press("Enter");
  await page.keyboard.type("spare");
  await page.keyboard.press("Escape");
  await copy.getByRole("button", { name: "New folder" }).press("Enter");
  await page.keyboard.type("copies");
  await page.keyboard.press("Enter");
  await copy.getByRole("row", { name: "copies", selected: true }).waitFor();
  await copy.getByRole("button", { name: "Copy here" }).press("Enter");
  await page.getByText("1 item copied").waitFor();
  assert.deepEqual(await client.names("copies"), ["b.txt"]);
  assert.deepEqual(await client.names(), ["album", "copies", "b.txt"]);
});

test("11: a folder that is made in the dialog comes into sight, and what was opened stays so", async () => {
  const { page } = await scene.visitAs(async (it) => {
    await it.makeFolder("album/2025");
    for (let n = 10; n < 50; n += 1) await it.makeFolder(`many/folder ${n}`);
    await it.put("a.txt");
  });
  const dialog = await moving(page, "a.txt");
  for (const name of ["album", "many"]) {
    await dialog.getByRole("row", { name }).focus();
    await page.keyboard.press("ArrowRight");
  }
  await dialog.getByRole("row", { name: "many" }).click();
  await dialog.getByRole("row", { name: "folder 10" }).waitFor();
  await dialog.getByRole("button", { name: "New folder" }).click();
  const naming = page.getByRole("dialog", { name: "New folder" });
  await naming.getByRole("textbox", { name: "Name" }).fill("folder 10");
  await naming.getByRole("button", { name: "Create" }).click();
  await naming.getByText("“folder 10” already exists here.").waitFor();
  // The focus stays, so that keys go on.
  await page.keyboard.press("Escape");
  await naming.waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "New folder" }).press("Enter");
  await page.keyboard.type("zzz");
  await page.keyboard.press("Enter");
  const made = dialog.getByRole("row", { name: "zzz", selected: true });
  await made.waitFor();
  await becomes(
    () =>
      made.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        const tree = one.closest("[role=treegrid]")?.getBoundingClientRect();
        return tree !== undefined && top >= tree.top && bottom <= tree.bottom;
      }),
    true,
  );
  await dialog.getByRole("row", { name: "2025" }).waitFor();
});

test("11: an answer that comes after its dialog was closed changes nothing in the next", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    for (const name of ["album", "zoo"]) await it.makeFolder(name);
    await it.put("a.txt");
  });
  let release = () => {};
  const held = new Promise<void>((settle) => {
    release = settle;
  });
  await page.route("**/api/v2/folders", async (route) => {
    await held;
    await route.continue();
  });
  const dialog = await moving(page, "a.txt");
  await dialog.getByRole("row", { name: "album" }).click();
  await dialog.getByRole("button", { name: "New folder" }).click();
  const asked = page.waitForRequest("**/api/v2/folders");
  await page.keyboard.type("slowly");
  await page.keyboard.press("Enter");
  await asked;
  await page.keyboard.press("Escape");
  await dialog.getByRole("row", { name: "zoo" }).click();
  await dialog.getByRole("button", { name: "New folder" }).click();
  await page.keyboard.type("half a na");
  const answered = page.waitForResponse("**/api/v2/folders");
  release();
  await answered;
  await dialog.getByRole("row", { name: "zoo", selected: true, includeHidden: true }).waitFor({ state: "attached" });
  const naming = page.getByRole("dialog", { name: "New folder" });
  await page.keyboard.type("me");
  assert.equal(await naming.getByRole("textbox", { name: "Name" }).inputValue(), "half a name");
  await page.keyboard.press("Enter");
  await dialog.getByRole("row", { name: "half a name", selected: true }).waitFor();
  await dialog.getByRole("button", { name: "Move here" }).click();
  await page.getByText("1 item moved").waitFor();
  assert.deepEqual(await client.names("zoo/half a name"), ["a.txt"]);
});

test("6: one file is downloaded as it is, several as an archive", async () => {
  const { page } = await scene.visitAs(async (it) => {
    await it.put("a.txt", "of a");
    await it.put("b.txt", "of b");
  });
  const download = async () => {
    const [started] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    return { name: started.suggestedFilename(), bytes: await readFile(await started.path()) };
  };
  await row(page, "a.txt").click();
  const one = await download();
  assert.deepEqual([one.name, one.bytes.toString()], ["a.txt", "of a"]);
  await row(page, "b.txt").click({ modifiers: ["Control"] });
  const several = await download();
  assert.equal(several.name, "files.zip");
  assert.equal(several.bytes.subarray(0, 2).toString(), "PK");
});

test("12: folders with any name have an address of their own", async () => {
  const hostile = [
    "100%25",
    "a?b#c",
    "%2F",
    "ä 日本",
    "<img src=x onerror=alert(1)>",
    "$path",
    "a&b=c+d",
    "{x}",
    "'\"",
  ];
  const { page } = await scene.visitAs(async (it) => {
    for (const name of hostile) {
      await it.makeFolder(`${name}/inner`);
      await it.put(`${name}/inner/file of it.txt`);
    }
  });
  for (const name of hostile) {
    await row(page, name).dblclick();
    await row(page, "inner").dblclick();
    await row(page, "file of it.txt").waitFor();
    const encoded = `/files/${encodeURIComponent(name)}/inner`;
    const [shown, wanted] = [new URL(page.url()).pathname, new URL(encoded, page.url()).pathname];
    assert.equal(decodeURIComponent(shown), decodeURIComponent(wanted));
    await page.reload();
    await row(page, "file of it.txt").waitFor();
    const path = page.getByRole("navigation", { name: "Path" });
    assert.deepEqual(await path.getByRole("link").allTextContents(), ["My files", name, "inner"]);
    await page.goBack();
    await row(page, "inner").waitFor();
    await path.getByRole("link", { name: "My files" }).click();
    await row(page, name).waitFor();
  }
});

test("12: the order is part of the address", async () => {
  const { page } = await scene.visitAs(async (it) => {
    await it.put("a.txt", "123");
    await it.put("b.txt", "1");
    await it.put("c.txt", "12");
  });
  await page.getByRole("button", { name: "Sort by Size" }).click();
  await page.waitForURL("**/files/?sort=size&order=asc");
  await shows(page, ["b.txt", "c.txt", "a.txt"]);
  await page.getByRole("button", { name: "Sort by Size" }).click();
  await page.reload();
  await shows(page, ["a.txt", "c.txt", "b.txt"]);
});

test("21: the search box filters the list", async () => {
  const { page } = await scene.visitAs(async (it) => {
    for (const name of ["Café.txt", "tea.txt", "coffee.txt"]) await it.put(name);
  });
  await page.getByRole("searchbox", { name: "Search" }).fill("cafe");
  await shows(page, ["Café.txt"]);
  await page.getByRole("searchbox", { name: "Search" }).fill("nothing of it");
  await page.getByRole("heading", { name: "Nothing here matches “nothing of it”" }).waitFor();
});

test("5: where there is no bin, deleting asks first", async () => {
  const drive = await WebdavServer.start();
  drive.write("old.txt", "old");
  const account = scene.program.addAccount();
  scene.program.command([
    "connector",
    "add",
    "--account",
    account,
    "--name",
    "Cloud",
    "--kind",
    "drive",
    ...drive.options,
  ]);
  const visit = await scene.visit();
  const { page } = visit;
  await visit.signIn(account);
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Cloud" }).click();
  await row(page, "old.txt").click();
  await page.keyboard.press("Delete");
  const question = page.getByRole("alertdialog", { name: "Delete for good?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  assert.deepEqual(drive.names(), ["old.txt"]);
  await row(page, "old.txt").click();
  await page.keyboard.press("Delete");
  await question.getByRole("button", { name: "Delete for good" }).click();
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await eventually(() => drive.names().length === 0, "the file is gone");
  await drive.stop();
});
