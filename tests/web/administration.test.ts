import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import type { Download, Locator, Page } from "playwright-core";
import { assertAccessible, assertReadable, inDark } from "./axe.ts";
import type { Look } from "./browser.ts";
import { becomes } from "./list.ts";
import { PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene('share_roots = ["FOLDER/srv"]\n');

const grid = (page: Page, name: string) => page.getByRole("grid", { name, exact: true });
const row = (page: Page, list: string, name: string) => grid(page, list).getByRole("row", { name, exact: true });

async function visitAsAdmin(to: string, look?: Look) {
  const account = scene.program.addAccount("--role", "admin");
  const visit = await scene.visit(look);
  await visit.signIn(account, to);
  return { account, visit, page: visit.page, client: scene.program.client(account) };
}

async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

test("25: administration is found from the menu of the account, and each part from there", async () => {
  const { account, page } = await visitAsAdmin("/files/");
  await page.getByRole("button", { name: `Account of ${account}` }).click();
  await page.getByRole("menuitem", { name: "Administration" }).click();
  await page.waitForURL("**/admin/accounts");
  const pages = page.getByRole("navigation", { name: "Administration" });
  for (const [text, path] of [
    ["Shares", "shares"],
    ["Connectors", "connectors"],
    ["Storage", "storage"],
    ["Sessions", "sessions"],
    ["Sign-in", "sign-in"],
    ["Audit log", "audit"],
    ["Settings", "settings"],
    ["Accounts", "accounts"],
  ] as const) {
    await pages.getByRole("link", { name: text }).click();
    await page.waitForURL(`**/admin/${path}`);
    await page.getByRole("heading", { level: 1, name: text }).waitFor();
  }
  await page.goto("/admin");
  await page.waitForURL("**/admin/accounts");
});

test("25: an account is made, signs in, is changed, disabled and enabled again", async () => {
  const { page } = await visitAsAdmin("/admin/accounts");
  await page.getByRole("button", { name: "New account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "User name" }).fill("Not Allowed");
  await dialog.getByRole("button", { name: "Create account" }).click();
  await dialog.getByRole("alert").getByText("An account's name is").waitFor();
  await dialog.getByRole("textbox", { name: "User name" }).fill("carla");
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByRole("textbox", { name: "Display name" }).fill("<b>Carla</b>");
  await dialog.getByRole("textbox", { name: "Quota" }).fill("many");
  await dialog.getByText("Enter a number greater than 0, or nothing.").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Create account" }).isDisabled(), true);
  await dialog.getByRole("textbox", { name: "Quota" }).fill("1.5");
  await page.keyboard.press("Enter");
  await row(page, "Accounts", "carla").getByRole("gridcell", { name: "0.0 B of 1.5 GB" }).waitFor();
  await row(page, "Accounts", "carla").getByRole("gridcell", { name: "<b>Carla</b>" }).waitFor();

  const other = await scene.visit();
  await other.signIn("carla");
  await act(page, "carla", "Edit…");
  await dialog.getByRole("combobox", { name: "Role" }).selectOption("Administrator");
  await dialog.getByText("Changing the role ends the account's sessions.").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await row(page, "Accounts", "carla").getByRole("gridcell", { name: "Administrator" }).waitFor();

  await act(page, "carla", "Disable");
  await page.getByText("“carla” cannot sign in any more").waitFor();
  await other.page.goto("/sign-in");
  await other.page.getByRole("textbox", { name: "User name" }).fill("carla");
  await other.page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await other.page.getByRole("button", { name: "Sign in" }).click();
  await other.page
    .getByRole("alert")
    .getByText(/wrong|allowed/)
    .waitFor();
  await act(page, "carla", "Enable");
  await page.getByText("“carla” can sign in again").waitFor();
  await other.signIn("carla");
});

test("22: an answer that comes after its dialog was closed closes no other", async () => {
  const { account, page } = await visitAsAdmin("/admin/accounts");
  let release = () => {};
  const held = new Promise<void>((settle) => {
    release = settle;
  });
  await page.route("**/api/v2/admin/accounts", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await page.getByRole("button", { name: "New account" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "User name" }).fill("dora");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await act(page, account, "Edit…");
  const dialog = page.getByRole("dialog", { name: `Account “${account}”` });
  await dialog.getByRole("textbox", { name: "Display name" }).fill("half a na");
  release();
  await page
    .getByText(/“dora”/)
    .first()
    .waitFor();
  await dialog.getByRole("textbox", { name: "Display name" }).press("End");
  await page.keyboard.type("me");
  assert.equal(await dialog.getByRole("textbox", { name: "Display name" }).inputValue(), "half a name");
});

test("25: a password is set, which ends the sessions", async () => {
  const name = scene.program.addAccount();
  const other = await scene.visit();
  await other.signIn(name);
  const { page } = await visitAsAdmin("/admin/accounts");
  await act(page, name, "Set password");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("New password").fill("short");
  await dialog.getByRole("button", { name: "Set password" }).click();
  await dialog.getByRole("alert").getByText("password").waitFor();
  await dialog.getByLabel("New password").fill("another good one");
  await page.keyboard.press("Enter");
  await page.getByText(`“${name}” has a new password`).waitFor();
  await other.page.goto("/files/");
  await other.page.waitForURL("**/sign-in?**");
  await other.page.getByRole("textbox", { name: "User name" }).fill(name);
  await other.page.getByRole("textbox", { name: "Password" }).fill("another good one");
  await other.page.getByRole("button", { name: "Sign in" }).click();
  await other.page.waitForURL("**/files/");
});

test("25: an account is removed once its name is typed, by keys alone; nobody removes themselves", async () => {
  const name = scene.program.addAccount();
  const { account, page } = await visitAsAdmin("/admin/accounts");
  await page.getByRole("button", { name: `Actions for ${account}`, exact: true }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).waitFor();
  assert.equal(await page.getByRole("menuitem", { name: "Remove…" }).count(), 0);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });

  await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).focus();
  await page.keyboard.press("Enter");
  // Keys go to what has the focus, which a menu takes only after it is seen.
  await page.locator('[role="menuitem"]:focus', { hasText: "Edit…" }).waitFor();
  // A menu that is drawn anew in that moment misses a key.
  await becomes(async () => {
    await page.keyboard.press("End");
    return page.locator('[role="menuitem"]:focus', { hasText: "Remove…" }).count();
  }, 1);
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog", { name: `Remove “${name}”?` });
  const remove = question.getByRole("button", { name: "Remove account" });
  const typed = question.getByRole("textbox", { name: `Type “${name}” to confirm` });
  await typed.fill(`${name}x`);
  assert.equal(await remove.isDisabled(), true);
  await typed.fill(name);
  await remove.press("Enter");
  await row(page, "Accounts", name).waitFor({ state: "detached" });
  assert.equal(scene.program.command(["account", "list"]).split(/\s+/).includes(name), false);
});

test("25: a share is made of a folder picked on the server, changed and removed", async () => {
  mkdirSync(`${scene.program.folder}/srv/team & co/2026`, { recursive: true });
  const member = scene.program.addAccount();
  const { page } = await visitAsAdmin("/admin/shares");
  await page.getByRole("button", { name: "New share" }).click();
  const dialog = page.getByRole("dialog", { name: "New share" });
  const tree = dialog.getByRole("treegrid", { name: "Choose a folder" });
  await tree.getByRole("row").first().focus();
  await page.keyboard.press("ArrowRight");
  await tree.getByRole("row", { name: "team & co" }).click();
  assert.equal(await dialog.getByRole("textbox", { name: "Name" }).inputValue(), "team & co");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Team");
  await dialog.getByRole("checkbox", { name: "Read-only" }).check();
  await dialog
    .getByRole("textbox", { name: "Find an account" })
    .or(dialog.getByRole("checkbox", { name: member }))
    .first()
    .waitFor();
  await dialog.getByRole("checkbox", { name: member, exact: true }).check();
  await dialog.getByRole("button", { name: "Create share" }).click();
  await row(page, "Shares", "Team Read-only").getByRole("gridcell", { name: member }).waitFor();

  const other = await scene.visit();
  await other.signIn(member);
  await other.page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Team" }).click();
  await other.page.getByRole("grid", { name: "Files" }).getByRole("row", { name: "2026" }).waitFor();

  await act(page, "Team", "Edit…");
  const edit = page.getByRole("dialog", { name: "Share “Team”" });
  await edit.getByRole("checkbox", { name: "Read-only" }).uncheck();
  await edit.getByRole("checkbox", { name: "Every account sees it" }).check();
  await edit.getByRole("button", { name: "Save" }).click();
  await row(page, "Shares", "Team").getByRole("gridcell", { name: "Everyone" }).waitFor();

  await page.getByRole("button", { name: "New share" }).click();
  await tree.getByRole("row").first().click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Team");
  assert.equal(await dialog.getByRole("button", { name: "Create share" }).isDisabled(), true);
  await dialog.getByRole("checkbox", { name: "Every account sees it" }).check();
  await dialog.getByRole("button", { name: "Create share" }).click();
  await dialog.getByRole("alert").getByText("The name is taken here.").waitFor();
  await page.keyboard.press("Escape");

  await act(page, "Team", "Remove…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove share" }).click();
  await page.getByRole("heading", { name: "Nothing is shared" }).waitFor();
  await assertAccessible(page, "no shares");
});

test("25: sessions of others are seen and ended", async () => {
  const name = scene.program.addAccount();
  const other = await scene.visit();
  await other.signIn(name);
  const { page } = await visitAsAdmin("/admin/sessions");
  await page.getByRole("combobox", { name: "Account" }).selectOption(name);
  await row(page, "Sessions", name)
    .getByRole("button", { name: `End this session of ${name}` })
    .click();
  await page.getByRole("heading", { name: "Nobody is signed in" }).waitFor();
  await other.page.goto("/files/");
  await other.page.waitForURL("**/sign-in?**");
});

test("25: the audit log is filtered, and exported as it is filtered", async () => {
  const name = scene.program.addAccount();
  const { page } = await visitAsAdmin("/admin/audit");
  const events = grid(page, "Audit log").getByRole("rowheader");
  await page.getByRole("combobox", { name: "Account" }).selectOption(name);
  await page.getByRole("combobox", { name: "Event" }).selectOption("Account created");
  await events.filter({ hasNotText: "Account created" }).first().waitFor({ state: "detached" });
  assert.deepEqual(await events.allTextContents().then((all) => all.length), 1);
  const exported = async (format: string) => {
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: format }).click(),
    ]);
    return (await readFile(await (download as Download).path(), "utf8")).trim().split(/\r?\n/);
  };
  const [line, ...others] = await exported("As JSON lines");
  assert.deepEqual([JSON.parse(line ?? "").subject, others], [name, []]);
  const csv = await exported("As CSV");
  assert.equal(csv.length, 2);
  assert.match(csv[1] ?? "", new RegExp(name));
  await page.getByLabel("Until").fill("2001-01-01");
  await page.getByRole("heading", { name: "No such event was recorded" }).waitFor();
});

test("25: a refused sign-in is nobody's, and a new quota is told alone", async () => {
  const name = scene.program.addAccount();
  const visit = await scene.visit();
  await visit.page.goto("/sign-in");
  await visit.page.getByRole("textbox", { name: "User name" }).fill(name);
  await visit.page.getByRole("textbox", { name: "Password" }).fill("a wrong password");
  await visit.page.getByRole("button", { name: "Sign in" }).click();
  await visit.page.getByRole("alert").first().waitFor();
  const { page } = await visitAsAdmin("/admin/accounts");
  await act(page, name, "Edit…");
  const dialog = page.getByRole("dialog", { name: `Account “${name}”` });
  await dialog.getByRole("textbox", { name: "Quota" }).fill("2");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto("/admin/audit");
  await page.getByRole("combobox", { name: "Account" }).selectOption(name);
  const line = (event: string) =>
    grid(page, "Audit log").getByRole("row").filter({ hasText: event }).filter({ hasText: name });
  await line("Sign-in refused").getByRole("gridcell", { name: "Not signed in", exact: true }).waitFor();
  await line("Account changed")
    .getByRole("gridcell", { name: /^\u2068Quota: 2.0 GB\u2069$/ })
    .waitFor();
});

test("25: settings in force and storage are seen at a glance", async () => {
  const full = scene.program.addAccount("--quota", "1000");
  await scene.program.client(full).put("a.bin", "x".repeat(950));
  const { page } = await visitAsAdmin("/admin/storage");
  const nearlyFull = row(page, "Storage", `${full} Nearly full`);
  await nearlyFull.getByText("950.0 B").waitFor();
  const bars = (of: Locator) => of.getByRole("gridcell").nth(0).locator("> div").count();
  assert.equal(await bars(nearlyFull), 1);
  // An account without a limit fills none.
  assert.equal(await bars(row(page, "Storage", scene.program.addAccount())), 0);
  await assertAccessible(page, "an account that is nearly full");
  await inDark(page, () => assertReadable(page, "an account that is nearly full, in dark"));
  await page.goto("/admin/settings");
  await row(page, "Settings", "share_roots Changed").getByText("Settings file").waitFor();
  await fetch(`${scene.program.url}/health/live`, { headers: { "X-Forwarded-For": "203.0.113.1" } });
  await page.reload();
  await page.getByText("Requests come through").getByText("127.0.0.1").waitFor();
  await assertAccessible(page, "a proxy that is not trusted");
});

test("25: the connectors of all accounts are seen, made read-only and removed", async () => {
  const { account, page, client } = await visitAsAdmin("/files/");
  const body = { kind: "ftp", name: "<i>NAS", host: "127.0.0.1", port: 9, user: "ann", password: "none", test: false };
  await client.call("POST", "/api/v2/connectors", JSON.stringify(body));
  await page.goto("/admin/connectors");
  await row(page, "Connectors", "<i>NAS").getByText(account, { exact: true }).first().waitFor();
  await act(page, "<i>NAS", "Make read-only");
  await row(page, "Connectors", "<i>NAS Read-only").waitFor();
  await act(page, "<i>NAS", "Remove…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove connector" }).click();
  await page.getByRole("heading", { name: "There are no connectors" }).waitFor();
  await assertAccessible(page, "no connectors");
});

test("9: the purposes of settings are told in the language of the page", async () => {
  const { page, client } = await visitAsAdmin("/admin/settings");
  const settings = (await (await client.call("GET", "/api/v2/admin/settings")).json()) as {
    key: string;
    help: string;
  }[];
  const meanings = resolve(import.meta.dirname, "../../web/src/administration/setting-meanings");
  const others = readdirSync(meanings);
  assert.equal(others.length, 5);
  const known = new Set(settings.map(({ key }) => key));
  for (const name of others) {
    const texts = JSON.parse(readFileSync(join(meanings, name), "utf8")) as Record<string, string>;
    assert.deepEqual(
      Object.keys(texts).filter((key) => !known.has(key)),
      [],
      name,
    );
  }
  const bin = settings.find(({ key }) => key === "bin_days");
  const cell = (text: string) => page.getByRole("row", { name: "bin_days" }).getByText(text, { exact: true });
  await cell(bin?.help ?? "").waitFor();
  for (const [language, text] of Object.entries({
    de: "Wie viele Tage ein Papierkorb Gelöschtes behält.",
    "zh-Hans": "回收站保留已删除内容多少天。",
  })) {
    await page.evaluate((chosen) => localStorage.setItem("coffer.language", chosen), language);
    await page.reload();
    await cell(text).waitFor();
  }
});

test("25: others than administrators are told whose the pages are, and ask the server for nothing", async () => {
  const { account, page } = await scene.visitAs();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (const path of ["accounts", "shares", "connectors", "storage", "sessions", "audit", "settings"]) {
    await page.goto(`/admin/${path}`);
    await page.getByRole("heading", { name: "This page is for administrators" }).waitFor();
    assert.deepEqual(
      asked.filter((one) => one.startsWith("/api/v2/admin")),
      [],
    );
    await page.getByRole("button", { name: `Account of ${account}` }).click();
    await page.getByRole("menuitem", { name: "Bin" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "Administration" }).count(), 0);
  }
});
