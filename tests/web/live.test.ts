import assert from "node:assert/strict";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HeldLine } from "./held_line.ts";
import { becomes, shows } from "./list.ts";
import { Scene } from "./scene.ts";
import { openTasks, row, tasks } from "./uploading.ts";

const scene = new Scene();

test("14: what others change appears without a reload", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.makeFolder("album"), {}, "/files/album");
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await client.put("album/theirs.txt");
  await row(page, "theirs.txt").waitFor();
  const gone = { kind: "delete", sources: ["album/theirs.txt"] };
  await client.call("POST", "/api/v2/tasks", JSON.stringify(gone));
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
});

test("14: what another account or a program of the server changes in a share appears without a reload", async () => {
  const [account, other] = [scene.program.addAccount(), scene.program.addAccount()];
  const target = join(scene.program.folder, "team");
  mkdirSync(target, { mode: 0o777 });
  const members = [account, other].flatMap((name) => ["--account", name]);
  scene.program.command(["share", "add", "--name", "Team", "--target", target, ...members]);
  const visit = await scene.visit();
  const { page } = visit;
  await visit.signIn(account);
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Team" }).click();
  await page.waitForURL("**/files/__*");
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  const folder = decodeURIComponent(new URL(page.url()).pathname.slice("/files/".length));
  const timed = async (what: string, change: () => unknown, wanted: string[]) => {
    const before = performance.now();
    await change();
    await shows(page, wanted);
    console.log(`${what}: shown after ${Math.round(performance.now() - before)} ms`);
  };
  const theirs = scene.program.client(other);
  await timed("another account's file", () => theirs.put(`${folder}/theirs.txt`), ["theirs.txt"]);
  const disk = (name: string) => join(target, name);
  await timed("a file put on the disk", () => writeFileSync(disk("a.txt"), "a"), ["a.txt", "theirs.txt"]);
  await timed("a file renamed on the disk", () => renameSync(disk("a.txt"), disk("z.txt")), ["theirs.txt", "z.txt"]);
});

test("14: what changes in a large folder before its changes are told is not missed", async (t) => {
  const account = scene.program.addAccount();
  const target = join(scene.program.folder, "large");
  mkdirSync(target);
  // More than is looked at regularly where the server tells nothing.
  for (let number = 0; number < 10_300; number += 1) writeFileSync(join(target, `${number}.txt`), "");
  scene.program.command(["share", "add", "--name", "Large", "--target", target, "--account", account]);
  const visit = await scene.visit();
  const { page } = visit;
  await visit.beginSession(account);
  const line = await HeldLine.before(scene.program, (_, path) => path.startsWith("/api/v2/events"));
  t.after(() => line.close());
  await page.goto(`${line.url}/files/`);
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Large" }).click();
  const files = page.getByRole("grid", { name: "Files" });
  await becomes(() => files.getAttribute("aria-rowcount"), "10300");
  writeFileSync(join(target, "new.txt"), "");
  line.release();
  await becomes(() => files.getAttribute("aria-rowcount"), "10301");
});

test("14: a share that is taken away while one stands in it is gone, with all that was shown of it", async () => {
  const account = scene.program.addAccount();
  const target = join(scene.program.folder, "lent");
  mkdirSync(join(target, "docs"), { recursive: true });
  writeFileSync(join(target, "docs", "a.txt"), "a");
  scene.program.command(["share", "add", "--name", "Lent", "--target", target, "--account", account]);
  const visit = await scene.visit();
  const { page } = visit;
  await visit.signIn(account);
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Lent" }).click();
  await row(page, "docs").dblclick();
  await row(page, "a.txt").waitFor();
  scene.program.command(["share", "remove", "Lent"]);
  await page.getByRole("heading", { name: "It is not there any more" }).waitFor();
  await row(page, "a.txt").waitFor({ state: "detached" });
  assert.doesNotMatch((await page.getByRole("navigation", { name: "Path" }).textContent()) ?? "", /__adm/);
});

test("4: a task that was begun elsewhere stands in the list, also after a new sign-in, until it is removed", async () => {
  const { account, client, page, visit } = await scene.visitAs(async (it) => {
    await it.makeFolder("album");
    await it.put("a.txt");
    await it.put("b.txt");
    await it.put("album/a.txt");
  });
  const wanted = { kind: "copy", sources: ["a.txt", "b.txt"], destination: "album", onConflict: "skip" };
  await client.call("POST", "/api/v2/tasks", JSON.stringify(wanted));
  await openTasks(page);
  const item = tasks(page).getByRole("listitem").filter({ hasText: "Copying 2 items" });
  await item.getByText("To album").waitFor();
  await item.getByText("1 left out").waitFor();
  await item.locator("details").getByText("a.txt").waitFor();
  await item.getByText("b.txt").waitFor();
  await page.context().clearCookies();
  await visit.signIn(account);
  await openTasks(page);
  await item.getByRole("button", { name: "Remove from the list" }).click();
  await item.waitFor({ state: "detached" });
  const left = (await (await client.call("GET", "/api/v2/tasks")).json()) as unknown[];
  assert.deepEqual(left, []);
});

test("8: Escape closes the list of tasks, and the focus goes back to what opened it", async () => {
  const { page } = await scene.visitAs();
  const button = page.getByRole("button", { name: "Tasks" });
  await openTasks(page);
  await page.keyboard.press("Escape");
  await tasks(page).waitFor({ state: "detached" });
  await button.press("Enter");
  await tasks(page).getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("Escape");
  await tasks(page).waitFor({ state: "detached" });
  await page.locator(":focus", { hasText: "Tasks" }).waitFor();
});
