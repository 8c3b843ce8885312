import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./axe.ts";
import { row } from "./list.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

const LOCK_INFO =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>';

const panel = (page: Page) => page.getByRole("complementary", { name: "Details" });
const region = (page: Page) => panel(page).getByRole("region", { name: "Locked" });

async function lock(client: Client, path: string): Promise<void> {
  await client.call("LOCK", `/dav/${path}`, LOCK_INFO, "application/xml");
}

async function prepare(client: Client): Promise<void> {
  await client.makeFolder("folder");
  await client.put("notes.txt", "text");
  await client.put("folder/open.txt", "text");
  await lock(client, "notes.txt");
}

async function openDetails(page: Page, name: string): Promise<void> {
  await page.goto("/files/?details=true");
  await row(page, name).click();
}

test("who has locked a file is shown, and its account unlocks it after a question", async () => {
  const { account, client, page } = await scene.visitAs(prepare);
  await openDetails(page, "notes.txt");
  await region(page).getByText(`Locked by ${account}`).waitFor();
  await region(page)
    .getByText(/^Since /)
    .waitFor();
  await assertAccessibleInBoth(page, "the locks of a file");
  await assert.rejects(client.put("notes.txt", "another"), /423/);
  await region(page).getByRole("button", { name: "Unlock" }).click();
  const question = page.getByRole("alertdialog", { name: "Unlock it?" });
  await question.getByText(account).waitFor();
  await assertAccessibleInBoth(page, "the question before a lock is ended");
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await assert.rejects(client.put("notes.txt", "another"), /423/);
  await region(page).getByRole("button", { name: "Unlock" }).click();
  await question.getByRole("button", { name: "Unlock" }).click();
  await region(page).waitFor({ state: "detached" });
  await client.put("notes.txt", "another");
});

test("a folder tells what in it is locked, and a refusal tells by whom", async () => {
  const { account, client, page } = await scene.visitAs(prepare);
  await lock(client, "folder/open.txt");
  await openDetails(page, "folder");
  await region(page).getByText("Locked is “open.txt”").waitFor();
  await row(page, "notes.txt").click();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New name" }).fill("other.txt");
  await page.keyboard.press("Enter");
  await page.getByText(`The item is locked by ${account} since`).first().waitFor();
  assert.deepEqual(await client.names(), ["folder", "notes.txt"]);
});
