import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene } from "./scene.ts";
import { openTasks, row, tasks } from "./uploading.ts";

const scene = new Scene();

test("what others change appears without a reload", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.makeFolder("album"), {}, "/files/album");
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await client.put("album/theirs.txt");
  await row(page, "theirs.txt").waitFor();
  const gone = { kind: "delete", sources: ["album/theirs.txt"] };
  await client.call("POST", "/api/v2/tasks", JSON.stringify(gone));
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
});

test("a task that was begun elsewhere stands in the list, also after a new sign-in, until it is removed", async () => {
  const { account, client, page, visit } = await scene.visitAs(async (it) => {
    await it.makeFolder("album");
    await it.put("a.txt");
    await it.put("album/a.txt");
  });
  const wanted = { kind: "copy", sources: ["a.txt"], destination: "album", onConflict: "skip" };
  await client.call("POST", "/api/v2/tasks", JSON.stringify(wanted));
  await openTasks(page);
  const item = tasks(page).getByRole("listitem").filter({ hasText: "Copying 1 item" });
  await item.getByText("To album").waitFor();
  await item.getByText("1 left out").waitFor();
  await item.getByText("a.txt").waitFor();
  await page.context().clearCookies();
  await visit.signIn(account);
  await openTasks(page);
  await item.getByRole("button", { name: "Remove from the list" }).click();
  await item.waitFor({ state: "detached" });
  const left = (await (await client.call("GET", "/api/v2/tasks")).json()) as unknown[];
  assert.deepEqual(left, []);
});
