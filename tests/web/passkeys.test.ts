import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { type Credentials, Device } from "./device.ts";
import { freePort } from "./identity_provider.ts";
import { PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";

const port = await freePort();
/** Browsers take it for a secure origin; an address of numbers has no passkeys. */
const SITE = `http://localhost:${port}`;
const scene = new Scene(`public_url = "${SITE}"\n`, port);
const SECURITY = `${SITE}/settings/security`;

async function signInWithPassword(page: Page, account: string): Promise<void> {
  await page.goto(`${SITE}/sign-in`);
  await page.getByRole("textbox", { name: "User name" }).fill(account);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.keyboard.press("Enter");
}

/** A person whose page of security is open, and the device that they sit at. */
async function owner() {
  const account = scene.program.addAccount();
  const { page } = await scene.visit();
  await signInWithPassword(page, account);
  await page.waitForURL("**/files/");
  const device = await Device.of(page);
  await page.goto(SECURITY);
  return { account, page, device };
}

/** Opens the page of the sign-in at a device with these passkeys, which answers by itself. */
async function visiting(page: Page, known: Credentials): Promise<void> {
  await page.goto(`${SITE}/icon.svg`);
  const device = await Device.of(page);
  await device.take(known);
  await page.goto(`${SITE}/sign-in`);
}

const passkeys = (page: Page) => page.getByRole("list", { name: "Passkeys" }).getByRole("listitem");

/** Adds a passkey by the page; the recovery codes that it shows, if it is the first. */
async function add(page: Page, name: string, isFirst: boolean): Promise<string[]> {
  await page.getByRole("button", { name: "Add passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add passkey" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await page.keyboard.press("Enter");
  if (!isFirst) {
    await passkeys(page).filter({ hasText: name }).waitFor();
    return [];
  }
  const kept = page.getByRole("dialog", { name: "Recovery codes" });
  const codes = (await kept.getByRole("textbox", { name: "Recovery codes" }).inputValue()).split("\n");
  await kept.getByRole("button", { name: "I have kept them" }).click();
  return codes;
}

test("two passkeys are added; one signs in with an empty name field; one that is removed opens nothing", async () => {
  const { account, page, device } = await owner();
  assert.equal((await add(page, "Laptop", true)).length, 10);
  const [first] = await device.passkeys();
  // A device keeps one passkey of an account: the second one is another's.
  await device.remove();
  const second = await Device.of(page);
  await add(page, "Key", false);
  assert.deepEqual(await passkeys(page).locator("bdi").allTextContents(), ["Laptop", "Key"]);

  const { page: other } = await scene.visit();
  // A browser that offers none by itself.
  await other.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
  await visiting(other, await second.passkeys());
  await other.getByRole("button", { name: "Sign in with a passkey" }).click();
  await other.waitForURL("**/files/");
  await other.goto(`${SITE}/settings/account`);
  await other.getByText(`You are signed in as ${account}.`).waitFor();
  await other.getByRole("list", { name: "Sessions" }).getByText("with a passkey").waitFor();

  await page.getByRole("button", { name: "Remove Laptop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await passkeys(page).filter({ hasText: "Laptop" }).waitFor({ state: "detached" });
  const { page: late } = await scene.visit();
  await visiting(late, first ? [first] : []);
  await late.getByRole("alert").getByText("This passkey opens no account here.").waitFor();
});

test("the field for the name offers passkeys by itself", async () => {
  const { page, device } = await owner();
  await add(page, "Laptop", true);
  const { page: other } = await scene.visit();
  await visiting(other, await device.passkeys());
  await other.waitForURL("**/files/");
});

test("a device that does not know its person is refused", async () => {
  const { page, device } = await owner();
  await device.verify(false);
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Laptop");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("The browser made no passkey.").waitFor();
});

test("another origin of this machine gets nothing for the server's domain", async () => {
  const { page } = await scene.visit();
  await page.goto("/sign-in");
  await page.getByRole("textbox", { name: "User name" }).waitFor();
  // 127.0.0.1 is no domain that passkeys are for, so the browser refuses before it asks anybody.
  await Device.of(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("alert").getByText("No passkey was shown.").waitFor();
});

test("a passkey confirms a session before a key is made", async () => {
  const { page, device } = await owner();
  await add(page, "Laptop", true);
  await scene.program.growOld();
  await page.goto(`${SITE}/settings/api-keys`);
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("dialog", { name: "New API key" }).getByRole("textbox", { name: "Name" }).fill("importer");
  await page.keyboard.press("Enter");
  const asked = page.getByRole("dialog", { name: "Confirm that it is you" });
  await device.verify(false);
  await asked.getByRole("button", { name: "Use a passkey" }).click();
  await asked.getByRole("alert").getByText("No passkey was shown.").waitFor();
  await device.verify(true);
  await asked.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("dialog", { name: "The key “importer” is made" }).waitFor();
});

test("a passkey is the second step after a password, and a recovery code does in its place", async () => {
  const { account, page, device } = await owner();
  const codes = await add(page, "Laptop", true);
  const { page: other } = await scene.visit();
  await signInWithPassword(other, account);
  await other.getByRole("heading", { name: "Second step" }).waitFor();
  await other.getByRole("textbox", { name: "Code" }).fill(codes[0] ?? "");
  await other.keyboard.press("Enter");
  await other.waitForURL("**/files/");

  const { page: third } = await scene.visit();
  await signInWithPassword(third, account);
  await third.getByRole("heading", { name: "Second step" }).waitFor();
  const visitor = await Device.of(third);
  await visitor.take(await device.passkeys());
  await third.getByRole("button", { name: "Use a passkey" }).click();
  await third.waitForURL("**/files/");
});
