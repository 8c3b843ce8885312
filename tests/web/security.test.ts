import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { LOOKS, looksRight } from "./looks.ts";
import { PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const PAGE = "/settings/security";

/** What an authenticator shows, `steps` of 30 seconds from now. */
function code(secret: string, steps = 0): string {
  const at = Math.floor(Date.now() / 1000) + steps * 30;
  return execFileSync("oathtool", ["--totp", "--base32", `--now=@${at}`, secret], { encoding: "utf8" }).trim();
}

/** Sets an authenticator up in the page; its secret and the recovery codes. */
async function setUp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole("button", { name: "Set up authenticator" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up authenticator" });
  await dialog.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
  const secret = await dialog.getByRole("textbox", { name: "Key" }).inputValue();
  await dialog.getByRole("textbox", { name: "Code" }).fill("000000");
  await page.keyboard.press("Enter");
  await dialog.getByText("This code is wrong.").waitFor();
  await dialog.getByRole("textbox", { name: "Code" }).fill(code(secret, -1));
  await page.keyboard.press("Enter");
  const kept = page.getByRole("dialog", { name: "Recovery codes" });
  const codes = (await kept.getByRole("textbox", { name: "Recovery codes" }).inputValue()).split("\n");
  await page.keyboard.press("Escape");
  await kept.getByRole("button", { name: "I have kept them" }).click();
  await kept.waitFor({ state: "detached" });
  return { secret, codes };
}

async function firstStep(page: Page, account: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByRole("textbox", { name: "User name" }).fill(account);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Second step" }).waitFor();
}

test("an authenticator is set up, asked for at the sign-in, and turned off", async () => {
  const { account, page } = await scene.visitAs(undefined, undefined, PAGE);
  const { secret, codes } = await setUp(page);
  assert.equal(codes.length, 10);
  await page.getByText("10 recovery codes are left").waitFor();

  const { page: other } = await scene.visit();
  await firstStep(other, account);
  await other.getByRole("textbox", { name: "Code" }).fill("123");
  await other.keyboard.press("Enter");
  await other.getByText("This code is wrong").waitFor();
  await other.getByRole("textbox", { name: "Code" }).fill(code(secret));
  await other.keyboard.press("Enter");
  await other.waitForURL("**/files/");
  await other.goto("/settings/account");
  await other.getByRole("list", { name: "Sessions" }).getByText("with a password and a code").waitFor();

  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("button", { name: "Set up authenticator" }).waitFor();
});

test("a recovery code opens the account in the place of a code; new ones end those of before", async () => {
  const { account, page } = await scene.visitAs(undefined, undefined, PAGE);
  const { codes } = await setUp(page);
  const { page: other } = await scene.visit();
  await firstStep(other, account);
  await other.getByRole("textbox", { name: "Code" }).fill(codes[0] ?? "");
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.waitForURL("**/files/");
  await page.getByRole("button", { name: "New recovery codes" }).click();
  const kept = page.getByRole("dialog", { name: "Recovery codes" });
  const fresh = (await kept.getByRole("textbox").inputValue()).split("\n");
  assert.equal(fresh.filter((one) => codes.includes(one)).length, 0);
});

test("one goes back from the second step, and nobody is signed in by half", async () => {
  const { account, page } = await scene.visitAs(undefined, undefined, PAGE);
  await setUp(page);
  const { page: other } = await scene.visit();
  await firstStep(other, account);
  await other.getByRole("button", { name: "Back" }).click();
  await other.getByRole("textbox", { name: "User name" }).waitFor();
  await other.goto("/files/");
  await other.waitForURL("**/sign-in?**");
});

test("an administrator lets somebody in who lost what shows the codes", async () => {
  const { account, page } = await scene.visitAs(undefined, undefined, PAGE);
  await setUp(page);
  const name = scene.program.addAccount("--role", "admin");
  const admin = await scene.visit();
  await admin.openAs(name, "/admin/accounts");
  const grid = admin.page.getByRole("grid", { name: "Accounts" });
  await grid.getByRole("row", { name: account }).getByText("Second factor").waitFor();
  await admin.page.getByRole("button", { name: `Actions for ${account}`, exact: true }).click();
  await admin.page.getByRole("menuitem", { name: "Remove second factor…" }).click();
  await admin.page.getByRole("alertdialog").getByRole("button", { name: "Remove second factor" }).click();
  await admin.page.getByText(`“${account}” signs in with the password alone now`).waitFor();
  const other = await scene.visit();
  await other.signIn(account);
});

test("the page of security looks right everywhere", async (context) => {
  for (const look of LOOKS) {
    await context.test(look.name, async () => {
      const visit = await scene.visit(look);
      const account = scene.program.addAccount();
      await visit.openAs(account, PAGE);
      await visit.page.getByRole("heading", { level: 1 }).waitFor();
      await looksRight(visit.page, "security", look);
    });
  }
});
