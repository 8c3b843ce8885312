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
