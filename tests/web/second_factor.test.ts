import { execFileSync } from "node:child_process";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { Device } from "./device.ts";
import { freePort } from "./identity_provider.ts";
import { PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";

const port = await freePort();
/** Passkeys are of domains, which an address of numbers is none. */
const SITE = `http://localhost:${port}`;
const scene = new Scene(`public_url = "${SITE}"\nsecond_factor = "everyone"\n`, port);

const wanted = (page: Page) => page.getByRole("heading", { name: "Protect your account" });

/** A new account whose password was just typed, to see a page of its settings. */
async function visiting(): Promise<Page> {
  const { page } = await scene.visit();
  await page.goto(`${SITE}/sign-in?to=%2Fsettings%2Fsecurity`);
  await page.getByRole("textbox", { name: "User name" }).fill(scene.program.addAccount());
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await wanted(page).waitFor();
  return page;
}

test("an account without the second factor that it must have sees nothing before it has one", async () => {
  const page = await visiting();
  await page.goto(`${SITE}/files/`);
  await wanted(page).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("textbox", { name: "User name" }).waitFor();
});

test("an authenticator is one, and leads to the page that was wanted", async () => {
  const page = await visiting();
  await page.getByRole("button", { name: "Set up authenticator" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up authenticator" });
  const secret = await dialog.getByRole("textbox", { name: "Key" }).inputValue();
  const code = execFileSync("oathtool", ["--totp", "--base32", secret], { encoding: "utf8" }).trim();
  await dialog.getByRole("textbox", { name: "Code" }).fill(code);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.waitForURL("**/settings/security");
  await page.getByText("10 recovery codes are left").waitFor();
  // Whoever has gone this way is asked like everybody else, later on the same page.
  await scene.program.growOld();
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("button", { name: "New key" }).click();
  const form = page.getByRole("dialog", { name: "New API key" });
  await form.getByRole("textbox", { name: "Name" }).fill("one");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Confirm that it is you" }).waitFor();
});

test("a passkey is one too", async () => {
  const page = await visiting();
  await Device.of(page);
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByRole("dialog", { name: "Add passkey" }).getByRole("textbox", { name: "Name" }).fill("Laptop");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.waitForURL("**/settings/security");
  await page.getByRole("list", { name: "Passkeys" }).getByText("Laptop").waitFor();
});

test("who signed in long ago confirms the session before, on the same page", async () => {
  const page = await visiting();
  await scene.program.growOld();
  await page.reload();
  await page.getByRole("button", { name: "Set up authenticator" }).click();
  await page.getByRole("dialog", { name: "Confirm that it is you" }).getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Set up authenticator" }).getByRole("img").waitFor();
});
