import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { LOOKS } from "./looks.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

const grid = (page: Page) => page.getByRole("grid", { name: "Bin" });
const row = (page: Page, name: string) => grid(page).getByRole("row", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true });

type Task = { id: string; state: string };

/** Puts items into the bin, and waits until they are there. */
async function bin(client: Client, ...sources: string[]): Promise<void> {
  const answer = await client.call("POST", "/api/v2/tasks", JSON.stringify({ kind: "delete", sources }));
  const { id } = (await answer.json()) as Task;
  await eventually(async () => {
    const task = (await (await client.call("GET", `/api/v2/tasks/${id}`)).json()) as Task;
    return task.state === "done";
  }, "the items are in the bin");
}

test("5: what was deleted is shown with where it was, and restored there", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    await it.makeFolder("holiday");
    await it.put("holiday/photo.jpg", "a picture");
    await it.put("other.txt");
    await bin(it, "holiday/photo.jpg", "other.txt");
  });
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Bin" }).click();
  await page.waitForURL("**/bin");
  await row(page, "photo.jpg").getByText("holiday", { exact: true }).waitFor();
  await row(page, "photo.jpg").getByText("30 days", { exact: true }).waitFor();
  await row(page, "photo.jpg").getByText("9.0 B", { exact: true }).waitFor();
  await row(page, "photo.jpg").click();
  await button(page, "Restore").click();
  await page.getByText("1 item is back").waitFor();
  await row(page, "photo.jpg").waitFor({ state: "detached" });
  await row(page, "other.txt").waitFor();
  assert.equal(await client.text("holiday/photo.jpg"), "a picture");
});

test("5: several are restored by keys alone", async () => {
  const names = ["a.txt", "b.txt", "c.txt"];
  const { client, page } = await scene.visitAs(
    async (it) => {
      for (const name of names) await it.put(name);
      await bin(it, ...names);
    },
    {},
    "/bin",
  );
  await row(page, "a.txt").waitFor();
  await button(page, "Delete for good").waitFor();
  await grid(page).getByRole("row").nth(1).focus();
  await page.keyboard.press("Control+a");
  await page.getByText("3 selected").waitFor();
  await button(page, "Restore").press("Enter");
  await page.getByRole("heading", { name: "The bin is empty" }).waitFor();
  await page.getByText("3 items are back").waitFor();
  assert.deepEqual(await client.names(), names);
});

for (const { choice, there, back } of [
  { choice: "Keep both", there: "new", back: ["old"] },
  { choice: "Replace", there: "old", back: [] },
  { choice: "Skip", there: "new", back: null },
]) {
  test(`3: where the name is taken, "${choice}" can be chosen`, async () => {
    const { client, page } = await scene.visitAs(
      async (it) => {
        await it.put("a.txt", "old");
        await bin(it, "a.txt");
        await it.put("a.txt", "new");
      },
      {},
      "/bin",
    );
    await row(page, "a.txt").click();
    await button(page, "Restore").click();
    const dialog = page.getByRole("alertdialog", { name: "“a.txt” already exists" });
    await dialog.getByRole("button", { name: choice, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    if (back === null) await row(page, "a.txt").waitFor();
    else await page.getByText("1 item is back").waitFor();
    assert.equal(await client.text("a.txt"), there);
    const others = (await client.names()).filter((name) => name !== "a.txt");
    assert.deepEqual(await Promise.all(others.map((name) => client.text(name))), back ?? []);
  });
}

test("5: deleting for good and emptying ask first, beginning at Cancel", async () => {
  const { page } = await scene.visitAs(
    async (it) => {
      for (const name of ["a.txt", "b.txt", "c.txt"]) await it.put(name);
      await bin(it, "a.txt", "b.txt", "c.txt");
    },
    {},
    "/bin",
  );
  await row(page, "b.txt").click();
  await button(page, "Delete for good").click();
  const question = page.getByRole("alertdialog");
  await question.getByText("“b.txt” is deleted for good.").waitFor();
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  await row(page, "b.txt").waitFor();
  await button(page, "Delete for good").click();
  await question.getByRole("button", { name: "Delete for good" }).click();
  await row(page, "b.txt").waitFor({ state: "detached" });
  await row(page, "a.txt").waitFor();
  await question.waitFor({ state: "detached" });

  await button(page, "Empty bin").press("Enter");
  await question.getByRole("button", { name: "Empty bin" }).press("Enter");
  await page.getByRole("heading", { name: "The bin is empty" }).waitFor();
  assert.equal(await button(page, "Empty bin").isDisabled(), true);
});

test("5: a long bin is shown page by page", async () => {
  const names = Array.from({ length: 103 }, (_, index) => `${index}.txt`);
  const { page } = await scene.visitAs(
    async (it) => {
      await Promise.all(names.map((name) => it.put(name)));
      await bin(it, ...names);
    },
    {},
    "/bin",
  );
  const items = grid(page)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader") });
  await button(page, "Show more").waitFor();
  assert.equal(await items.count(), 100);
  await button(page, "Show more").click();
  await button(page, "Show more").waitFor({ state: "detached" });
  assert.equal(await items.count(), 103);
});

test("5: all of the bin is restored, also what is not shown yet", async () => {
  const names = Array.from({ length: 103 }, (_, index) => `${index}.txt`);
  const { client, page } = await scene.visitAs(
    async (it) => {
      await Promise.all(names.map((name) => it.put(name)));
      await bin(it, ...names);
    },
    {},
    "/bin",
  );
  await button(page, "Show more").waitFor();
  await grid(page).getByRole("row").nth(1).focus();
  await page.keyboard.press("Control+a");
  await page.getByText("All selected").waitFor();
  await button(page, "Delete for good").press("Enter");
  await page.getByText("also items that the list does not show yet").waitFor();
  await page.keyboard.press("Escape");
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  // Who is impatient asks once more.
  await button(page, "Restore").dblclick();
  await page.getByText("103 items are back").waitFor();
  assert.equal(sent.length, 1, sent.join());
  await page.getByRole("heading", { name: "The bin is empty" }).waitFor();
  assert.deepEqual((await client.names()).toSorted(), names.toSorted());
});

test("5: what the server refuses is told, and the items stand there again", async () => {
  const { page } = await scene.visitAs(
    async (it) => {
      await it.put("a.txt");
      await bin(it, "a.txt");
    },
    {},
    "/bin",
  );
  await page.route("**/api/v2/tasks", (route) => route.abort());
  await row(page, "a.txt").click();
  await button(page, "Restore").click();
  await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
  await row(page, "a.txt").waitFor();
  await page.route("**/api/v2/bin", (route) =>
    route.request().method() === "DELETE" ? route.abort() : route.fallback(),
  );
  await button(page, "Empty bin").click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Empty bin" }).click();
  await question.getByRole("alert").getByText("The server cannot be reached.").waitFor();
});

test("5: a bin is its account's alone", async () => {
  await scene.visitAs(async (it) => {
    await it.put("secret.txt");
    await bin(it, "secret.txt");
  });
  const { page } = await scene.visitAs(async () => {}, {}, "/bin");
  await page.getByRole("heading", { name: "The bin is empty" }).waitFor();
});

const HOSTILE = ["<img src=x onerror=alert(1)>", "a?b#c", "%2F", "\u202egnp.exe", "محمد.txt"];

for (const look of LOOKS) {
  test(`8: axe finds nothing, whatever things are called: ${look.name}`, async () => {
    const account = scene.program.addAccount();
    const client = scene.program.client(account);
    for (const name of HOSTILE) await client.put(name);
    await bin(client, ...HOSTILE);
    const visit = await scene.visit(look);
    await visit.openAs(account, "/bin");
    await visit.page.getByRole("grid").getByRole("row").nth(HOSTILE.length).waitFor();
    await assertAccessibleInBoth(visit.page);
  });
}

test("5: what was deleted in a share is shown with the share's name", async () => {
  const account = scene.program.addAccount();
  const target = join(scene.program.folder, "team");
  mkdirSync(target, { mode: 0o777 });
  writeFileSync(join(target, "a.txt"), "a");
  scene.program.command(["share", "add", "--name", "Team", "--target", target, "--account", account]);
  const client = scene.program.client(account);
  const locations = (await (await client.call("GET", "/api/v1/locations")).json()) as { data: { path: string }[] };
  const share = locations.data.find(({ path }) => path !== "")?.path;
  await bin(client, `${share}a.txt`);
  const { page } = await scene.visit().then(async (visit) => {
    await visit.openAs(account, "/bin");
    return visit;
  });
  await row(page, "a.txt").getByText("Team", { exact: true }).waitFor();
});
