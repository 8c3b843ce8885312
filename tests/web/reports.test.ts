// What people reported of the interfaces of other file managers, tried on this one. Each test names the report.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { becomes, row, selected, shows } from "./list.ts";
import { Scene } from "./scene.ts";
import { fileOf, filesInput } from "./uploading.ts";

const scene = new Scene();
const MANY = Array.from({ length: 150 }, (_, number) => `file ${String(number).padStart(3, "0")}.txt`);

const many = () =>
  scene.visitAs(async (client) => {
    await Promise.all(MANY.map((name) => client.put(name, name)));
    await client.makeFolder("zz folder");
    await client.put("zz folder/inner.txt");
  });

const isInSight = (page: Page, name: string) =>
  row(page, name).evaluateAll(([one]) => {
    const place = one?.getBoundingClientRect();
    return place !== undefined && place.top >= 0 && place.bottom <= window.innerHeight;
  });

async function toTheEnd(page: Page): Promise<void> {
  await row(page, "file 000.txt").click();
  await page.keyboard.press("End");
  await becomes(() => isInSight(page, "file 149.txt"), true);
}

// nextcloud/server: 33088, 44300 and 54700 (the list jumps when an item is opened or closed), 43974 (a right click scrolls to the top).
test("12: the list stays where it is when an item is opened, closed, or has its menu opened", async () => {
  const { page } = await many();
  await toTheEnd(page);
  await row(page, "file 147.txt").dblclick();
  await page.getByRole("dialog", { name: "file 147.txt" }).getByText("file 147.txt").last().waitFor();
  await page.keyboard.press("Escape");
  await becomes(() => isInSight(page, "file 147.txt"), true);
  await row(page, "file 148.txt").click({ button: "right" });
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("Escape");
  await becomes(() => isInSight(page, "file 148.txt"), true);
});

// nextcloud/server: 21540 (back from a folder, one starts at its top again), 17967 (a folder opens at the end of the last one).
test("12: a folder opens at its top, and going back leads to where one was", async () => {
  const { page } = await scene.visitAs(async (client) => {
    await Promise.all(
      Array.from({ length: 120 }, (_, number) => client.makeFolder(`folder ${String(number).padStart(3, "0")}`)),
    );
    await Promise.all(MANY.map((name) => client.put(`folder 110/${name}`, name)));
  });
  await row(page, "folder 000").click();
  await page.keyboard.type("folder 110");
  await becomes(() => isInSight(page, "folder 110"), true);
  await row(page, "folder 110").dblclick();
  await becomes(() => isInSight(page, "file 000.txt"), true);
  await page.goBack();
  await becomes(() => isInSight(page, "folder 110"), true);
});

// nextcloud/server, 16002: the other view began at the top.
test("17: the other view shows what was in sight", async () => {
  const { page } = await many();
  await toTheEnd(page);
  const tiles = page.getByRole("button", { name: "Grid view" });
  await tiles.click();
  await tiles.and(page.getByRole("button", { pressed: true })).waitFor();
  await becomes(() => isInSight(page, "file 149.txt"), true);
  await tiles.click();
  await tiles.and(page.getByRole("button", { pressed: false })).waitFor();
  await becomes(() => isInSight(page, "file 149.txt"), true);
});

// nextcloud/server, 3484: with Shift, everything from the top was selected.
test("8: Shift selects from the item that was clicked before, up and down", async () => {
  const { page } = await many();
  await row(page, "file 004.txt").click();
  await row(page, "file 006.txt").click({ modifiers: ["Shift"] });
  await becomes(() => selected(page), ["file 004.txt", "file 005.txt", "file 006.txt"]);
  await row(page, "file 002.txt").click({ modifiers: ["Shift"] });
  await becomes(() => selected(page), ["file 002.txt", "file 003.txt", "file 004.txt"]);
});

const text = (page: Page, name: string) => page.getByRole("textbox", { name: `Text of ${name}` });

async function edit(page: Page, name: string): Promise<void> {
  await row(page, name).dblclick();
  await page.getByRole("button", { name: "Edit" }).click();
  await text(page, name).click();
}

// gtsteffaniak/filebrowser: 701 and 738 (a text was stored in the file that is opened next).
test("16: texts that are edited one after the other are kept apart", async () => {
  const names = ["a.yaml", "b.log", "c.md"];
  const { client, page } = await scene.visitAs(async (it) => {
    for (const name of names) await it.put(name, `this is ${name}\n`);
  });
  for (const round of [1, 2, 3]) {
    for (const name of names) {
      await edit(page, name);
      await page.keyboard.press("Control+Home");
      await page.keyboard.type(`${round}`);
      await page.keyboard.press("Control+s");
      await page.getByText("All changes are saved").waitFor();
      await page.keyboard.press("Escape");
      await shows(page, names);
    }
  }
  for (const name of names) assert.equal(await client.text(name), `321this is ${name}\n`);
});

// Termix, 793: after it was saved, a text stood at its first line again.
test("16: a text stays where it is when it is saved", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.put("long.txt", "a line\n".repeat(300)));
  await edit(page, "long.txt");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("one");
  await page.keyboard.press("Control+s");
  await page.getByText("All changes are saved").waitFor();
  await page.keyboard.type(" two");
  await page.keyboard.press("Control+s");
  await becomes(async () => (await client.text("long.txt")).slice(-14), "a line\none two");
});

async function inShare(name: string) {
  const account = scene.program.addAccount();
  const target = `${scene.program.folder}/${name}`;
  mkdirSync(target);
  writeFileSync(`${target}/plan.txt`, "one");
  chmodSync(target, 0o777);
  chmodSync(`${target}/plan.txt`, 0o666);
  scene.program.command(["share", "add", "--name", name, "--target", target, "--account", account]);
  const visit = await scene.visit();
  await visit.signIn(account);
  await visit.page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name }).click();
  await row(visit.page, "plan.txt").waitFor();
  return visit.page;
}

// filebrowser, 5591: a text that could not be stored when its editor was closed was lost.
test("16: a text that cannot be saved stays open", async () => {
  const page = await inShare("Closing");
  await edit(page, "plan.txt");
  await page.keyboard.type("mine ");
  scene.program.command(["share", "set", "Closing", "--read-only", "true"]);
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByText("You are not allowed to do this here.").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page
    .getByRole("alertdialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Continue editing" })
    .click();
  assert.match((await text(page, "plan.txt").textContent()) ?? "", /mine/);
});

// owncloud/core, 28155: a file that could not be renamed was gone from the list until it was loaded anew.
test("13: what cannot be renamed stays in the list under its name", async () => {
  const page = await inShare("Renaming");
  await row(page, "plan.txt").click();
  scene.program.command(["share", "set", "Renaming", "--read-only", "true"]);
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New name" }).fill("other.txt");
  await page.keyboard.press("Enter");
  await page.getByText("You are not allowed to do this here.").first().waitFor();
  await shows(page, ["plan.txt"]);
});

// opencloud-eu/web, 1261; droppyjs/droppy, 72: a name as macOS writes it (a letter, then its accent) became a second file that looks the
// same, and could not be opened.
test("3: a name with its accents written apart is the same name", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.put("\u00dcbung.txt", "old"));
  await row(page, "\u00dcbung.txt").waitFor();
  await filesInput(page).setInputFiles(fileOf(scene.program, "U\u0308bung.txt", "new"));
  await page.getByRole("alertdialog").getByRole("button", { name: "Replace" }).click();
  await becomes(() => client.text("\u00dcbung.txt"), "new");
  assert.deepEqual(await client.names(), ["\u00dcbung.txt"]);
});
