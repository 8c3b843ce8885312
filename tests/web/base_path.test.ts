import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldLine } from "./held_line.ts";
import { becomes, row } from "./list.ts";
import { PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";

const BASE = "/coffer";
const scene = new Scene(`base_path = "${BASE}"\n`);

test("below a path of a proxy the interface works and asks for nothing outside of it", async (t) => {
  const account = scene.program.addAccount();
  const client = scene.program.client(account);
  await client.makeFolder("album");
  await client.makeFolder("album/inner");
  await client.put("album/inner/a.txt", "hello");
  const visit = await scene.visit();
  const { page } = visit;
  const outside: string[] = [];
  // What a worker asks for, the page does not tell.
  const line = await HeldLine.before(scene.program, (_, path) => {
    if (!path.startsWith(`${BASE}/`)) outside.push(path);
    return false;
  });
  t.after(() => line.close());
  page.on("request", (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && !pathname.startsWith(`${BASE}/`)) outside.push(pathname);
  });
  await page.goto(`${line.url}${BASE}/files/album/inner`);
  await page.getByRole("textbox", { name: "User name" }).fill(account);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await row(page, "a.txt").waitFor();
  assert.equal(new URL(page.url()).pathname, `${BASE}/files/album/inner`);
  // What others do arrives, by the stream of the shared worker: without one, the folder would be looked at now and then.
  await becomes(async () => line.count((_, path) => path.startsWith(`${BASE}/api/v2/events`)), 1);
  await client.put("album/inner/b.txt");
  await row(page, "b.txt").waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Upload", exact: true }).click(),
  ]);
  await chooser.setFiles({ name: "c.txt", mimeType: "text/plain", buffer: Buffer.from("mine") });
  await row(page, "c.txt").waitFor();
  assert.equal(await client.text("album/inner/c.txt"), "mine");
  await page.reload();
  await row(page, "a.txt").dblclick();
  await page.getByRole("dialog").getByText("hello").waitFor();
  assert.deepEqual(outside, []);
});
