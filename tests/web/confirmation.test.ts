import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const PAGE = "/settings/api-keys";

const asked = (page: Page) => page.getByRole("dialog", { name: "Confirm that it is you" });
const made = (page: Page, name: string) => page.getByRole("dialog", { name: `The key “${name}” is made` });

async function growOld(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New key" }).waitFor();
  await scene.program.growOld();
  await page.reload();
}

async function begin(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("dialog", { name: "New API key" }).getByRole("textbox", { name: "Name" }).fill(name);
  await page.keyboard.press("Enter");
}

test("who signed in long ago is asked for the password before a key is made, once", async () => {
  const { page } = await scene.visitAs(undefined, undefined, PAGE);
  await growOld(page);
  await begin(page, "importer");
  const password = asked(page).getByLabel("Password");
  await password.fill("not the password");
  await page.keyboard.press("Enter");
  await asked(page).getByRole("alert").getByText("This is not your password.").waitFor();
  await password.fill(PASSWORD);
  await page.keyboard.press("Enter");
  await made(page, "importer").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await begin(page, "another");
  await made(page, "another").waitFor();
});

test("what is asked without a body waits for the confirmation too", async () => {
  const { page } = await scene.visitAs(undefined, undefined, PAGE);
  await growOld(page);
  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Set up authenticator" }).click();
  await asked(page).getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Set up authenticator" }).getByRole("img").waitFor();
});

test("who does not confirm goes on where they were, and nothing is made", async () => {
  const { client, page } = await scene.visitAs(undefined, undefined, PAGE);
  await growOld(page);
  await begin(page, "importer");
  await asked(page).waitFor();
  await page.keyboard.press("Escape");
  const dialog = page.getByRole("dialog", { name: "New API key" });
  await dialog.getByRole("alert").getByText("It was not confirmed that it is you.").waitFor();
  assert.equal(await dialog.getByRole("textbox", { name: "Name" }).inputValue(), "importer");
  const keys = (await (await client.call("GET", "/api/v2/keys")).json()) as { name: string }[];
  assert.equal(keys.filter(({ name }) => name === "importer").length, 0);
});
