// Every page and every dialog of the interface, in any language: by the texts that the interface itself has.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Locator, Page } from "playwright-core";
import type { Client, Program } from "./program.ts";
import { fileOf, filesInput } from "./uploading.ts";

const SOURCES = resolve(import.meta.dirname, "../../web/src");
const EXPORTS: Record<string, string> = { en: "en", ar: "ar" };

type Texts = Record<string, string | Record<string, string>>;

/** What the interface says for a key, with its values filled in. */
export type Say = (key: string, values?: Record<string, string>) => string;

export async function sayingIn(language: string): Promise<Say> {
  const name = EXPORTS[language] ?? "en";
  const own: string = join(SOURCES, `messages/${language}.ts`);
  const pages: string = join(SOURCES, `messages/${language}-pages.ts`);
  const texts: Texts = { ...(await import(own))[name], ...(await import(pages))[`${name}Pages`] };
  return (key, values = {}) => {
    const text = texts[key];
    if (typeof text !== "string") throw new Error(`no text ${key}`);
    return text.replace(/\{(\w+)\}/g, (_, hole: string) => values[hole] ?? "");
  };
}

/** The addresses of the route table. */
export function routePaths(): string[] {
  const names = readdirSync(SOURCES).filter((name) => /^routes[\w-]*\.tsx$/.test(name));
  const text = names.map((name) => readFileSync(join(SOURCES, name), "utf8")).join("");
  return [...new Set([...text.matchAll(/\bpath: "(\/[^"]*)"/g)].map(([, path = ""]) => path))];
}

/** The components that open over a page. */
export function dialogFiles(): string[] {
  const all = readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
  return all.filter((name) => /(Dialogs?|Menu|Wizard)\.tsx$/.test(name) && !name.startsWith("controls/")).sort();
}

/** What opens over a page. */
export const OPEN = "[role=dialog], [role=alertdialog], [role=menu]";

export type Stop = { page: Page; client: Client; program: Program; account: string; other: string; say: Say };

const row = (page: Page, name: string): Locator => page.getByRole("row", { name }).first();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();
const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true }).click();

/** Goes there as the interface's own links do, which loads nothing anew, and waits until what was shown is gone. */
async function turnTo(page: Page, path: string): Promise<void> {
  const heading = await page.locator("h1").first().elementHandle();
  await page.evaluate((to) => history.pushState(null, "", to), path);
  await page.waitForFunction((before) => !before?.isConnected && document.querySelector("h1"), heading);
}

/** Goes there by way of another page, which nothing stays open on; what is not saved would be asked about. */
async function walkTo(page: Page, path: string): Promise<void> {
  const isToBeLoaded = page.url() === "about:blank" || page.url().includes("edit=true");
  if (isToBeLoaded) {
    await page.goto("/links");
    await page.locator("h1").first().waitFor({ state: "attached" });
  } else {
    await page.keyboard.press("Escape");
    await turnTo(page, "/links");
  }
  await page.locator(OPEN).first().waitFor({ state: "detached" });
  await turnTo(page, path);
}

async function selected({ page }: Stop): Promise<void> {
  await walkTo(page, "/files/");
  await row(page, "a.txt").click({ modifiers: ["Control"] });
}

async function editing({ page }: Stop): Promise<void> {
  await walkTo(page, "/files/?preview=a.txt&edit=true");
  await page.locator(".cm-content").click();
  await page.keyboard.type("more");
}

async function rowMenu({ page, say, account }: Stop): Promise<void> {
  await walkTo(page, "/admin/accounts");
  await press(page, say("files.actionsFor", { name: account }));
}

async function ofOther(stop: Stop, key: string): Promise<void> {
  await rowMenu({ ...stop, account: stop.other });
  await item(stop.page, stop.say(key));
}

/** Opens each, by the file that it stands in. */
export const DIALOGS: Record<string, (stop: Stop) => Promise<void>> = {
  "administration/AccountDialogs.tsx": async ({ page, say }) => {
    await walkTo(page, "/admin/accounts");
    await press(page, say("admin.newAccount"));
  },
  "administration/PasswordDialog.tsx": (stop) => ofOther(stop, "admin.setPassword"),
  "administration/RemoveAccountDialog.tsx": (stop) => ofOther(stop, "admin.removeAccount"),
  "administration/RowMenu.tsx": rowMenu,
  "administration/ShareForm (a dialog)": async ({ page, say }) => {
    await walkTo(page, "/admin/shares");
    await press(page, say("admin.newShare"));
  },
  "administration/AddConnector (a dialog)": async ({ page, say }) => {
    await walkTo(page, "/admin/connectors");
    await press(page, say("connectors.add"));
  },
  "bin/BinDialogs.tsx": async ({ page, say }) => {
    await walkTo(page, "/bin");
    await row(page, "binned.txt").waitFor();
    await press(page, say("bin.empty"));
  },
  "bin/BinMenu.tsx": async ({ page }) => {
    await walkTo(page, "/bin");
    await row(page, "binned.txt").click({ button: "right" });
  },
  "conflicts/ConflictDialog.tsx": async ({ page, program }) => {
    await walkTo(page, "/files/");
    await row(page, "a.txt").waitFor();
    await filesInput(page).setInputFiles(fileOf(program, "a.txt", "another"));
  },
  "connectors/RemoveDialog.tsx": async ({ page, say }) => {
    await walkTo(page, "/settings/connectors");
    await page
      .getByRole("list")
      .getByRole("button", { name: say("connectors.remove") })
      .first()
      .click();
  },
  "connectors/Wizard.tsx": async ({ page, say }) => {
    await walkTo(page, "/settings/connectors");
    await press(page, say("connectors.add"));
    await page.getByRole("option").first().waitFor();
  },
  "editor/ConflictDialog.tsx": async (stop) => {
    await editing(stop);
    await stop.client.put("a.txt", "theirs");
    await stop.page.keyboard.press("Control+s");
    await stop.page.getByRole("alertdialog").waitFor();
  },
  "editor/LeaveDialog.tsx": async (stop) => {
    await editing(stop);
    await press(stop.page, stop.say("editor.done"));
    await stop.page.getByRole("alertdialog").waitFor();
  },
  "files/ColumnsMenu.tsx": async ({ page, say }) => {
    await walkTo(page, "/files/");
    await press(page, say("view.columns"));
  },
  "files/DeleteDialog.tsx": async (stop) => {
    const { page } = stop;
    await page.route("**/api/v2/files?**", async (route) => {
      const answer = await route.fetch();
      const listing = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...listing, hasBin: false } });
    });
    await selected(stop);
    await page.keyboard.press("Delete");
    await page.unrouteAll({ behavior: "wait" });
  },
  "files/FileMenu.tsx": async ({ page }) => {
    await walkTo(page, "/files/");
    await row(page, "a.txt").click({ button: "right" });
  },
  "files/FolderDialog.tsx": async (stop) => {
    await selected(stop);
    await press(stop.page, stop.say("files.moveTo"));
  },
  "files/NameDialog.tsx": async ({ page, say }) => {
    await walkTo(page, "/files/");
    await row(page, "a.txt").waitFor();
    await press(page, say("files.newFolder"));
  },
  "keys/NewKey (a dialog)": async ({ page, say }) => {
    await walkTo(page, "/settings/api-keys");
    await press(page, say("keys.new"));
  },
  "keys/RevokeDialog.tsx": async ({ page, say }) => {
    await walkTo(page, "/settings/api-keys");
    await press(page, say("keys.revoke"));
  },
  "links/ShareDialog.tsx": async (stop) => {
    await selected(stop);
    await press(stop.page, stop.say("links.share"));
  },
  "preview/PreviewDialog.tsx": async ({ page }) => {
    await walkTo(page, "/files/?preview=a.txt");
  },
  "shell/AccountMenu.tsx": async ({ page, say, account }) => {
    await walkTo(page, "/files/");
    await press(page, say("shell.account", { name: account }));
  },
  "shortcuts/ShortcutsDialog.tsx": async ({ page }) => {
    await walkTo(page, "/files/");
    await row(page, "a.txt").waitFor();
    await page.keyboard.press("?");
  },
  "uploads/NoRoomDialog.tsx": async ({ page, program }) => {
    await walkTo(page, "/files/");
    await row(page, "a.txt").waitFor();
    await filesInput(page).setInputFiles(fileOf(program, "much.bin", "x".repeat(3 * 1024 * 1024)));
  },
};

/** An account with something on every page. */
export async function fillAll(program: Program, account: string): Promise<{ client: Client; token: string }> {
  const client = program.client(account);
  await client.makeFolder("album");
  await client.put("album/inner.txt", "inner");
  for (const name of ["a.txt", "<b>محمد.txt", "binned.txt"]) await client.put(name, name);
  const post = (path: string, body: object) => client.call("POST", path, JSON.stringify(body));
  await post("/api/v2/tasks", { kind: "delete", sources: ["binned.txt"] });
  const ftp = { kind: "ftp", name: "NAS", host: "127.0.0.1", port: 9, user: "ann", password: "none", test: false };
  await post("/api/v2/connectors", ftp);
  const target = join(program.folder, `srv/${account}`);
  mkdirSync(target, { recursive: true });
  program.command(["share", "add", "--name", `Team ${account}`, "--target", target, "--account", account]);
  const { token } = (await (await post("/api/v2/links", { path: "album" })).json()) as { token: string };
  return { client, token };
}
