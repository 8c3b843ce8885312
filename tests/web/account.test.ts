import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { LOOKS, looksRight } from "./looks.ts";
import { PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const PAGE = "/settings/account";
const NEW = "another horse battery";

const sessions = (page: Page) => page.getByRole("list", { name: "Sessions" }).getByRole("listitem");

async function canSignIn(userName: string, password: string): Promise<boolean> {
  const body = JSON.stringify({ userName, password });
  const headers = { "Content-Type": "application/json" };
  return (await fetch(`${scene.program.url}/api/v2/session`, { method: "POST", headers, body })).ok;
}

test("25: another display name is shown at once, whatever it is", async () => {
  const { account, page } = await scene.visitAs(undefined, undefined, PAGE);
  const name = "<b>Ann</b> \u202e & 日本";
  await page.getByRole("textbox", { name: "Display name" }).fill(name);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: `Account of ${name}` }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: `Account of ${name}` }).waitFor();
  await page.getByText(`You are signed in as ${account}.`).waitFor();
  await page.getByRole("textbox", { name: "Display name" }).fill("  ");
  await page.keyboard.press("Enter");
  await page.getByText("Enter a name.").waitFor();
});

test("25: the password is changed by keys; a wrong one is told beside its field", async () => {
  const { account, page } = await scene.visitAs(undefined, undefined, PAGE);
  const other = await scene.visit();
  await other.signIn(account);
  const [current, wanted] = ["Current password", "New password"].map((name) => page.getByRole("textbox", { name }));
  assert.ok(current && wanted);
  await current.fill("not the password");
  await wanted.fill("short");
  await page.keyboard.press("Enter");
  await page.getByText("Enter at least 8 characters.").waitFor();
  await wanted.fill(NEW);
  await page.keyboard.press("Enter");
  await page.getByText("This is not your password.").waitFor();
  await current.fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("Your password is changed").waitFor();
  assert.equal(await current.inputValue(), "");
  assert.equal(await canSignIn(account, PASSWORD), false);
  assert.equal(await canSignIn(account, NEW), true);
  // This session goes on, the other has ended.
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("grid", { name: "API keys" }).waitFor();
  await other.page.reload();
  await other.page.waitForURL("**/sign-in?*");
});

test("25: one session is ended, then all others, then every one", async () => {
  const { account, page } = await scene.visitAs();
  const [second, third] = [await scene.visit(), await scene.visit()];
  for (const visit of [second, third]) await visit.signIn(account);
  await page.goto(PAGE);
  await sessions(page).nth(2).waitFor();
  await sessions(page).first().getByText("This one").waitFor();
  await sessions(page).nth(1).getByRole("button", { name: "End the session of Chrome on Linux" }).click();
  await page.getByText("The session has ended").waitFor();
  await eventually(async () => (await sessions(page).count()) === 2, "one session less");
  await page.getByRole("button", { name: "End all others" }).click();
  await eventually(async () => (await sessions(page).count()) === 1, "one session is left");
  for (const visit of [second, third]) {
    await visit.page.reload();
    await visit.page.waitForURL("**/sign-in?*");
  }
  await second.signIn(account);
  await page.getByRole("button", { name: "Sign out everywhere" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/sign-in");
  await second.page.reload();
  await second.page.waitForURL("**/sign-in?*");
});

test("9: language and theme change at once and stay, here as in the menu of the account", async () => {
  const { page } = await scene.visitAs(undefined, undefined, PAGE);
  await page.getByRole("radio", { name: "Dark" }).focus();
  await page.keyboard.press("Space");
  await page.locator('html[data-theme="dark"]').waitFor({ state: "attached" });
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitemradio", { name: "Dark", checked: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("heading", { name: "Darstellung" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Darstellung" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
});

test("12: the menu of the account leads to the settings, and its own navigation through them", async () => {
  const { page } = await scene.visitAs();
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await page.waitForURL(`**${PAGE}`);
  const navigation = page.getByRole("navigation", { name: "Settings" });
  await navigation.getByRole("link", { name: "Connectors" }).click();
  await page.getByRole("heading", { name: "Connectors", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
  await page.goto("/settings");
  await page.waitForURL(`**${PAGE}`);
});

test("8: the page of the account looks right", async (t: TestContext) => {
  const account = scene.program.addAccount("--quota", "20M", "--display-name", "Ann with a long shown name");
  await scene.program.client(account).put("film.mp4", new Uint8Array(19_000_000));
  for (const look of LOOKS) {
    await t.test(look.name, async () => {
      const visit = await scene.visit(look);
      await visit.beginSession(account);
      await visit.page.goto(PAGE);
      await visit.page.locator("main li button, main section li").first().waitFor();
      await looksRight(visit.page, "account", look);
    });
  }
});
