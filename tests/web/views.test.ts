import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { assertAccessible, assertAccessibleInBoth, assertReadable } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { becomes, hasFocus, row, selected, shows } from "./list.ts";
import { LOOKS } from "./looks.ts";
import { png } from "./made.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

async function prepare(it: Client): Promise<void> {
  await it.makeFolder("album");
  await it.put("a.png", png(300, 200));
  for (const name of ["b.txt", "c.txt", "d.txt"]) await it.put(name, name);
}

test("17: the look of folders is remembered for the account, on another device too, and not for others", async () => {
  const { account, page } = await scene.visitAs(prepare);
  const stored = () =>
    page.waitForResponse((answer) => answer.url().endsWith("/account") && answer.request().method() === "PATCH");
  await Promise.all([stored(), page.getByRole("button", { name: "Grid view" }).click()]);
  await Promise.all([stored(), page.getByRole("button", { name: "Details" }).click()]);
  await page.getByRole("complementary", { name: "Details" }).waitFor();

  const other = await scene.visit();
  await other.signIn(account);
  await other.page.getByRole("complementary", { name: "Details" }).waitFor();
  assert.equal(await other.page.getByRole("button", { name: "Grid view" }).getAttribute("aria-pressed"), "true");

  const { page: stranger } = await scene.visitAs(prepare);
  await row(stranger, "a.png").waitFor();
  assert.equal(await stranger.getByRole("button", { name: "Grid view" }).getAttribute("aria-pressed"), "false");
  assert.equal(await stranger.getByRole("complementary", { name: "Details" }).count(), 0);
});

test("17: columns are chosen by keys, and stay after a reload", async () => {
  const { page } = await scene.visitAs(prepare);
  await row(page, "a.png").waitFor();
  await page.getByRole("button", { name: "Columns" }).press("Enter");
  await page.getByRole("menuitemcheckbox", { name: "Kind" }).waitFor();
  const cells = () => row(page, "a.png").getByRole("gridcell").allTextContents();
  await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === "PATCH"),
    page.getByRole("menuitemcheckbox", { name: "Kind" }).press(" "),
  ]);
  await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === "PATCH"),
    page.getByRole("menuitemcheckbox", { name: "Modified" }).press(" "),
  ]);
  await page.keyboard.press("Escape");
  await page.reload();
  await row(page, "a.png").waitFor();
  const [name, size, kind, ...others] = await cells();
  assert.deepEqual([name, kind, others], ["a.png", "PNG", []]);
  assert.match(size ?? "", / (B|KB)$/);
});

test("17: tiles have pictures and are walked through by arrows in two directions", async () => {
  const { page } = await scene.visitAs(prepare, { width: 768 });
  await page.getByRole("button", { name: "Grid view" }).click();
  const picture = row(page, "a.png").locator("img");
  await becomes(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth > 0), true);
  await row(page, "album").click();
  await page.keyboard.press("ArrowRight");
  await becomes(() => selected(page), ["a.png"]);
  await page.keyboard.press("ArrowDown");
  await becomes(() => selected(page), ["d.txt"]);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+ArrowUp");
  await becomes(() => selected(page), ["album", "a.png", "b.txt", "c.txt"]);
  await row(page, "album").dblclick();
  await page.waitForURL("**/files/album");
});

test("17: pictures that were scrolled past are not waited for", async () => {
  const account = scene.program.addAccount();
  const target = join(scene.program.folder, "pictures");
  mkdirSync(target);
  for (let number = 100; number < 300; number += 1) writeFileSync(join(target, `${number}.png`), png(30, 20));
  scene.program.command(["share", "add", "--name", "Pictures", "--target", target, "--account", account]);
  const visit = await scene.visit();
  const { page } = visit;
  const [asked, left] = [new Set<string>(), new Set<string>()];
  const nameIn = (address: string) => new URL(address).searchParams.get("path")?.slice(-"100.png".length) ?? "";
  // None is ever answered.
  await page.route("**/api/v2/thumbnails**", (route) => void asked.add(nameIn(route.request().url())));
  page.on("requestfailed", (request) => left.add(nameIn(request.url())));
  await visit.openAs(account);
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Pictures" }).click();
  await row(page, "100.png").waitFor();
  await page.getByRole("button", { name: "Grid view" }).click();
  await eventually(() => asked.has("100.png"), "the first ones are asked for");
  assert.ok(asked.size <= 4, [...asked].join());
  await row(page, "100.png").click();
  await page.keyboard.press("End");
  await eventually(() => [...asked].some((name) => name > "270.png"), "the last ones are too");
  await eventually(() => left.has("100.png"), "the first ones are given up");
});

test("17: details tell of what is selected, and have an address", async () => {
  const { page } = await scene.visitAs(prepare);
  await page.goto("/files/?details=true");
  const panel = page.getByRole("complementary", { name: "Details" });
  await panel.getByText("Select something to see its details.").waitFor();
  await row(page, "a.png").click();
  await panel.getByText("PNG", { exact: true }).waitFor();
  await page.keyboard.press("Control+a");
  await panel.getByText("5 selected").waitFor();
  await panel.getByRole("button", { name: "Close" }).click();
  await panel.waitFor({ state: "detached" });
  await page.goBack();
  await panel.waitFor();
});

test("17: a share is called by its name: in the details, as an archive, and where its link ends", async () => {
  const account = scene.program.addAccount();
  const target = join(scene.program.folder, "team");
  mkdirSync(target, { mode: 0o777 });
  for (const name of ["a.txt", "b.txt"]) writeFileSync(join(target, name), name);
  scene.program.command(["share", "add", "--name", "Team", "--target", target, "--account", account]);
  const visit = await scene.visit();
  const { page } = visit;
  await visit.openAs(account);
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Team" }).click();
  await row(page, "a.txt").waitFor();
  await page.getByRole("button", { name: "Details" }).click();
  await page.getByRole("complementary", { name: "Details" }).getByText("Team", { exact: true }).waitFor();
  await row(page, "a.txt").click();
  await page.keyboard.press("Control+a");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "Team.zip");
  const path = decodeURIComponent(new URL(page.url()).pathname.slice("/files/".length));
  await scene.program.client(account).call("POST", "/api/v2/links", JSON.stringify({ path }));
  await page.goto("/links");
  await page.getByRole("row", { name: "Team", exact: true }).getByRole("button", { name: "End link" }).click();
  await page.getByRole("alertdialog").getByText("“Team”").waitFor();
});

test("11: files are dragged onto folders, the path and locations; with Ctrl they are copied", async () => {
  const { client, page } = await scene.visitAs(prepare);
  await row(page, "b.txt").click();
  await row(page, "c.txt").click({ modifiers: ["Control"] });
  await row(page, "c.txt").dragTo(row(page, "album"));
  await page.getByText("2 items moved").waitFor();
  await shows(page, ["album", "a.png", "d.txt"]);
  assert.deepEqual(await client.names("album"), ["b.txt", "c.txt"]);
  await row(page, "album").dblclick();
  await row(page, "b.txt").dragTo(
    page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "My files" }),
  );
  await shows(page, ["c.txt"]);
  await row(page, "c.txt").dragTo(
    page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "My files" }),
  );
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await becomes(() => client.names(), ["album", "a.png", "b.txt", "c.txt", "d.txt"]);
  await page.goBack();
  await shows(page, ["album", "a.png", "b.txt", "c.txt", "d.txt"]);
  await row(page, "d.txt").hover();
  await page.keyboard.down("Control");
  await page.mouse.down();
  await row(page, "album").hover();
  await row(page, "album").hover();
  await page.mouse.up();
  await page.keyboard.up("Control");
  await page.getByText("1 item copied", { exact: true }).waitFor();
  assert.deepEqual(await client.names("album"), ["d.txt"]);
  assert.ok((await client.names()).includes("d.txt"));
});

test("11: what is cut or copied is pasted into another folder, also an empty one", async () => {
  const { client, page } = await scene.visitAs(prepare);
  await row(page, "b.txt").click();
  await page.keyboard.press("Control+x");
  await page.getByText("1 item cut.").waitFor();
  await row(page, "album").dblclick();
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await page.keyboard.press("Control+v");
  await row(page, "b.txt").waitFor();
  assert.deepEqual(await client.names(), ["album", "a.png", "c.txt", "d.txt"]);
  await row(page, "b.txt").click();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await becomes(async () => (await client.names("album")).length, 2);
});

test("8: the list of keys opens by ? and from the menu, and / goes to the search", async () => {
  const { page } = await scene.visitAs(prepare);
  await row(page, "b.txt").click();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.getByText("Select all").waitFor();
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });
  await hasFocus(page);
  await page.keyboard.press("/");
  await page.keyboard.type("c?/");
  assert.equal(await page.getByRole("searchbox", { name: "Search" }).inputValue(), "c?/");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await keys.waitFor();
});

test("17: the menu of columns opens when it is asked for, and at no other time", async () => {
  const { page } = await scene.visitAs(prepare);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  const tiles = page.getByRole("button", { name: "Grid view" });
  await tiles.click();
  await page.getByRole("button", { name: "Columns" }).waitFor({ state: "detached" });
  await tiles.click();
  await page.getByRole("button", { name: "Columns" }).waitFor();
  await row(page, "a.png").waitFor();
  assert.equal(await page.getByRole("menu").count(), 0);
});

test("23: what is chosen, and how far something is, is seen in forced colours", async () => {
  const account = scene.program.addAccount("--quota", "1MiB");
  await prepare(scene.program.client(account));
  const visit = await scene.visit();
  const { page } = visit;
  await visit.openAs(account);
  await page.emulateMedia({ forcedColors: "active" });
  const colour = (one: Locator) => one.evaluate((it) => getComputedStyle(it).backgroundColor);
  await row(page, "a.png").click();
  await becomes(() => selected(page), ["a.png"]);
  assert.notEqual(await colour(row(page, "a.png")), await colour(row(page, "b.txt")), "a selected row");
  const places = page.getByRole("navigation", { name: "Locations" }).getByRole("link");
  assert.notEqual(await colour(places.first()), await colour(places.last()), "the location that is shown");
  const quota = page.getByRole("meter");
  assert.notEqual(await colour(quota.locator("div").last()), await colour(quota), "how full it is");
  const tiles = page.getByRole("button", { name: "Grid view" });
  await tiles.click();
  const details = page.getByRole("button", { name: "Details", exact: true });
  assert.notEqual(await colour(tiles), await colour(details), "a pressed button");
  const content = (name: string) => row(page, name).getByRole("gridcell");
  assert.notEqual(await colour(content("a.png")), await colour(content("b.txt")), "a selected tile");
  await assertReadable(page, "forced colours");
  await page.emulateMedia({ forcedColors: "none" });
});

for (const language of ["en", "de", "fr", "es", "zh-Hans", "ar"]) {
  test(`23: the buttons over the list stand in one row: ${language}`, async () => {
    const { page } = await scene.visitAs(prepare, { language });
    for (const width of [1440, 1024, 800]) {
      await page.setViewportSize({ width, height: 900 });
      for (const isSelecting of [true, false]) {
        // Once more with Ctrl takes it out of the selection.
        const modifiers = isSelecting ? [] : (["Control"] as const);
        await page.getByRole("row", { name: "b.txt" }).click({ modifiers: [...modifiers] });
        const bar = page.getByRole("toolbar").last();
        const places = () =>
          bar.getByRole("button").evaluateAll((all) => {
            const boxes = all.map((one) => one.getBoundingClientRect());
            return {
              tops: new Set(boxes.map(({ top }) => top)).size,
              out: boxes.filter(({ left, right }) => left < 0 || right > window.innerWidth).length,
            };
          });
        await becomes(places, { tops: 1, out: 0 });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    const texts = page.getByRole("toolbar").last().getByRole("button");
    const wide = (all: Element[]) => all.filter((one) => one.getBoundingClientRect().width > 40).length;
    // Texts are shown where there is room for them.
    await becomes(async () => (await texts.evaluateAll(wide)) >= 3, true);
  });
}

for (const look of LOOKS) {
  test(`8: axe finds nothing in tiles and details: ${look.name}`, async () => {
    const { page } = await scene.visitAs(prepare, look, "/files/?details=true");
    await page.getByRole("row", { name: "a.png" }).waitFor();
    await assertAccessibleInBoth(page);
    await page.locator("[aria-pressed]:has(svg.lucide-layout-grid)").click();
    await page.getByRole("grid").locator("img").first().waitFor();
    await assertAccessibleInBoth(page);
  });
}
