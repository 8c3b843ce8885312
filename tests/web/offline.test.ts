import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "./axe.ts";
import { becomes, row, shows } from "./list.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const SENTENCE = "The server cannot be reached. What you see may be old";

test("22: a server that is away is told, and work goes on when it is back", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    await it.makeFolder("album");
    await it.put("a.txt");
  });
  const note = page.getByRole("status").filter({ hasText: SENTENCE });
  await row(page, "a.txt").waitFor();
  await scene.program.stop("SIGKILL");
  await note.waitFor();
  await assertAccessible(page, "a server that is away");
  // What is shown stays, and what is tried is taken back with the reason.
  await row(page, "a.txt").click();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New name" }).fill("b.txt");
  await page.keyboard.press("Enter");
  await page.getByText("“a.txt” keeps its name. The server cannot be reached.").waitFor();
  await shows(page, ["album", "a.txt"]);
  await scene.program.start();
  await note.waitFor({ state: "detached" });
  // Changes of others are told again.
  await client.put("theirs.txt");
  await shows(page, ["album", "a.txt", "theirs.txt"]);
  await row(page, "a.txt").click();
  await page.keyboard.press("Delete");
  await shows(page, ["album", "theirs.txt"]);
  await becomes(() => client.names(), ["album", "theirs.txt"]);
});

test("22: a folder that was opened while the server was away shows when it is back", async () => {
  const { page } = await scene.visitAs(async (it) => {
    await it.makeFolder("album");
    await it.put("album/inner.txt");
  });
  await row(page, "album").waitFor();
  await scene.program.stop("SIGKILL");
  await page.getByRole("status").filter({ hasText: SENTENCE }).waitFor();
  await row(page, "album").dblclick();
  await page.waitForURL("**/files/album");
  assert.equal(await row(page, "inner.txt").count(), 0);
  await scene.program.start();
  await row(page, "inner.txt").waitFor();
});

test("22: the dialogs of the page in view are there when the server is away", async () => {
  const { page } = await scene.visitAs(async (it) => it.put("a.txt"));
  await row(page, "a.txt").waitFor();
  // Somebody is there.
  await page.keyboard.press("Tab");
  const part = await page.waitForFunction(() => {
    const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const isPart = /\/assets\/NameDialog[^/]*\.m?js$/;
    return loaded.find(({ name, responseEnd }) => isPart.test(name) && responseEnd > 0)?.name;
  });
  // It may still wait for parts of its own.
  await page.evaluate((name) => import(name ?? ""), part);
  await scene.program.stop("SIGKILL");
  await page.getByRole("status").filter({ hasText: SENTENCE }).waitFor();
  await page.getByRole("button", { name: "New folder" }).first().click();
  await page.getByRole("dialog", { name: "New folder" }).waitFor();
  await scene.program.start();
});

test("22: what was not loaded before the server went away is told in place, and comes when it is back", async () => {
  const { page } = await scene.visitAs(async (it) => it.put("a.txt"));
  await row(page, "a.txt").waitFor();
  await page.route("**/assets/*", (route) => route.abort());
  await scene.program.stop("SIGKILL");
  await page.getByRole("status").filter({ hasText: SENTENCE }).waitFor();
  await page.getByRole("button", { name: "New folder" }).first().click();
  await page.getByText("This part could not be loaded.").waitFor();
  assert.equal(await row(page, "a.txt").count(), 1);
  await page.unroute("**/assets/*");
  await scene.program.start();
  await page.getByRole("dialog", { name: "New folder" }).waitFor();
});

test("22: a page that was not loaded before the server went away says so within the frame", async () => {
  const { page } = await scene.visitAs(async (it) => it.put("a.txt"));
  await row(page, "a.txt").waitFor();
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  await scene.program.stop("SIGKILL");
  await page.getByRole("status").filter({ hasText: SENTENCE }).waitFor();
  const locations = page.getByRole("navigation", { name: "Locations" });
  await locations.getByRole("link", { name: "Bin" }).click();
  await page.getByRole("main").getByText("This part could not be loaded.").waitFor();
  await assertAccessible(page, "a page that is missing");
  assert.equal(await locations.count(), 1);
  await scene.program.start();
  await page.getByRole("heading", { name: "The bin is empty" }).waitFor();
  assert.equal(loads, 0);
});

test("22: a part that the renewed server does not have is told, and the page stays", async () => {
  const { page } = await scene.visitAs(async (it) => it.put("a.txt"));
  await row(page, "a.txt").waitFor();
  await page.route("**/assets/NameDialog*", (route) => route.fulfill({ status: 404 }));
  await page.getByRole("button", { name: "New folder" }).first().click();
  await page.getByText("The server has been renewed").waitFor();
  assert.equal(await row(page, "a.txt").count(), 1);
  await page.unroute("**/assets/NameDialog*");
  await page.getByRole("button", { name: "Load again" }).click();
  await page.getByRole("button", { name: "New folder" }).first().click();
  await page.getByRole("dialog", { name: "New folder" }).waitFor();
});
