// Every page and every dialog of the interface, in any language: by the texts that the interface itself has.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Locator, Page } from "playwright-core";
import { ADMIN_PAGES, PLAIN_PAGES, SETTINGS_PAGES, SPECIAL_PAGES } from "../../web/src/model/pages.ts";
import type { Client, Program } from "./program.ts";
import { fileOf, filesInput } from "./uploading.ts";

const SOURCES = resolve(import.meta.dirname, "../../web/src");

/** The addresses of all pages. */
export const PAGES: readonly string[] = [...SPECIAL_PAGES, ...PLAIN_PAGES, ...SETTINGS_PAGES, ...ADMIN_PAGES].map(
  ({ path }) => path,
);

/** The address of a page for a visit. */
export function visited(path: string, token: string): string {
  if (path === "/files") return "/files/";
  return path === "/set-up" ? "/set-up#x" : path.replace("$token", token);
}

type Texts = Record<string, string | Record<string, string>>;

/** The interface's text of a key, with its values filled in. */
export type Say = (key: string, values?: Record<string, string>) => string;

export function sayingIn(language: string): Say {
  const read = (name: string) => JSON.parse(readFileSync(join(SOURCES, `messages/${name}.json`), "utf8")) as Texts;
  const texts: Texts = { ...read("en"), ...read("en-pages"), ...read(language), ...read(`${language}-pages`) };
  return (key, values = {}) => {
    const text = texts[key];
    if (typeof text !== "string") throw new Error(`no text ${key}`);
    return text.replace(/\{(\w+)\}/g, (_, hole: string) => values[hole] ?? "");
  };
}

/** The components that open over a page, each with its folder. */
export function dialogComponents(): string[] {
  const names = readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".tsx") && !name.startsWith("controls/"))
    .flatMap((name) => {
      const text = readFileSync(join(SOURCES, name), "utf8");
      const found = text.matchAll(/\bfunction (\w*(?:Dialogs?|Menu|Wizard))\(/g);
      return [...found].map(([, component = ""]) => `${dirname(name)}/${component}`);
    })
    .sort();
}

/** What opens over a page. */
export const OPEN = "[role=dialog], [role=alertdialog], [role=menu]";

/** Gives a file or folder another name, by which it is found again. */
export type Naming = (name: string) => string;

export const asTheyAre: Naming = (name) => name;

export type Stop = {
  page: Page;
  client: Client;
  program: Program;
  account: string;
  other: string;
  say: Say;
  named: Naming;
};

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

async function selected({ page, named }: Stop): Promise<void> {
  await walkTo(page, "/files/");
  await row(page, named("a.txt")).click({ modifiers: ["Control"] });
}

async function editing({ page, named }: Stop): Promise<void> {
  await walkTo(page, `/files/?preview=${named("a.txt")}&edit=true`);
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

/** Opens each, by its folder and its component. */
export const DIALOGS: Record<string, (stop: Stop) => Promise<void>> = {
  "administration/AccountDialogs": async ({ page, say }) => {
    await walkTo(page, "/admin/accounts");
    await press(page, say("admin.newAccount"));
  },
  "administration/GroupDialog": async ({ page, say }) => {
    await walkTo(page, "/admin/groups");
    await press(page, say("admin.newGroup"));
  },
  "administration/IdentitiesDialog": async (stop) => {
    const { page, say, other } = stop;
    await page.route("**/api/v2/session/methods", (route) =>
      route.fulfill({ json: { password: true, passkeys: false, provider: { name: "Example ID" } } }),
    );
    const identity = { id: "1", issuer: "https://id.example.org", subject: "248289761001" };
    const times = { createdAt: "2026-11-21T06:14:09", lastUsedAt: "2026-11-21T06:14:09" };
    await page.route("**/identities", (route) => route.fulfill({ json: [{ ...identity, ...times }] }));
    await page.goto("/admin/accounts");
    await press(page, say("files.actionsFor", { name: other }));
    await item(page, say("admin.identities"));
    await page.getByRole("dialog").getByRole("listitem").waitFor();
    await page.unrouteAll({ behavior: "wait" });
  },
  "administration/PasswordDialog": (stop) => ofOther(stop, "admin.setPassword"),
  "administration/RemoveAccountDialog": (stop) => ofOther(stop, "admin.removeAccount"),
  "administration/RowMenu": rowMenu,
  "administration/ShareForm (a dialog)": async ({ page, say }) => {
    await walkTo(page, "/admin/shares");
    await press(page, say("admin.newShare"));
  },
  "administration/AddConnector (a dialog)": async ({ page, say }) => {
    await walkTo(page, "/admin/connectors");
    await press(page, say("connectors.add"));
  },
  "administration/SecondFactorDialog": async (stop) => {
    const { page, say, other } = stop;
    await page.route("**/api/v2/admin/accounts*", async (route) => {
      const answer = await route.fetch();
      const { entries, ...rest } = (await answer.json()) as { entries: object[] };
      const guarded = entries.map((entry) => ({ ...entry, hasSecondFactor: true }));
      await route.fulfill({ response: answer, json: { ...rest, entries: guarded } });
    });
    await page.goto("/admin/accounts");
    await press(page, say("files.actionsFor", { name: other }));
    await item(page, say("admin.removeSecondFactor"));
    await page.unrouteAll({ behavior: "wait" });
  },
  "bin/BinDialogs": async ({ page, say, named }) => {
    await walkTo(page, "/bin");
    await row(page, named("binned.txt")).waitFor();
    await press(page, say("bin.empty"));
  },
  "bin/BinMenu": async ({ page, named }) => {
    await walkTo(page, "/bin");
    await row(page, named("binned.txt")).click({ button: "right" });
  },
  "confirmation/ConfirmationDialog": async ({ page, say }) => {
    const json = { type: "about:blank", title: "", status: 403, detail: "", code: "unconfirmed" };
    await page.route("**/api/v2/account/totp", (route) => route.fulfill({ status: 403, json }));
    await walkTo(page, "/settings/security");
    await press(page, say("security.setUp"));
    await page.getByRole("dialog").waitFor();
    await page.unrouteAll({ behavior: "wait" });
  },
  "conflicts/ConflictDialog": async ({ page, program, named }) => {
    await walkTo(page, "/files/");
    await row(page, named("a.txt")).waitFor();
    await filesInput(page).setInputFiles(fileOf(program, named("a.txt"), "another"));
  },
  "connectors/RemoveDialog": async ({ page, say }) => {
    await walkTo(page, "/settings/connectors");
    await page
      .getByRole("list")
      .getByRole("button", { name: say("connectors.remove") })
      .first()
      .click();
  },
  "connectors/Wizard": async ({ page, say }) => {
    await walkTo(page, "/settings/connectors");
    await press(page, say("connectors.add"));
    await page.getByRole("option").first().waitFor();
  },
  "devices/ConnectDevice (a dialog)": async ({ page, say }) => {
    await walkTo(page, "/settings/devices");
    await press(page, say("devices.connect"));
  },
  "editor/ConflictDialog": async (stop) => {
    await editing(stop);
    await stop.client.put(stop.named("a.txt"), "theirs");
    await stop.page.keyboard.press("Control+s");
    await stop.page.getByRole("alertdialog").waitFor();
  },
  "editor/LeaveDialog": async (stop) => {
    await editing(stop);
    await press(stop.page, stop.say("editor.done"));
    await stop.page.getByRole("alertdialog").waitFor();
  },
  "files/ColumnsMenu": async ({ page, say }) => {
    await walkTo(page, "/files/");
    await press(page, say("view.columns"));
  },
  "files/DeleteDialog": async (stop) => {
    const { page } = stop;
    await page.route("**/api/v2/files?**", async (route) => {
      const answer = await route.fetch();
      const listing = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...listing, hasBin: false } });
    });
    // A folder that was listed a moment ago would not be listed again.
    await page.goto("/files/");
    await row(page, stop.named("a.txt")).click({ modifiers: ["Control"] });
    await page.keyboard.press("Delete");
    await page.unrouteAll({ behavior: "wait" });
  },
  "files/FileMenu": async ({ page, named }) => {
    await walkTo(page, "/files/");
    await row(page, named("a.txt")).click({ button: "right" });
  },
  "files/FolderDialog": async (stop) => {
    await selected(stop);
    await press(stop.page, stop.say("files.moveTo"));
  },
  "files/NameDialog": async ({ page, say, named }) => {
    await walkTo(page, "/files/");
    await row(page, named("a.txt")).waitFor();
    await press(page, say("files.newFolder"));
  },
  "files/UnpackDialog": async ({ page, say, named }) => {
    await walkTo(page, "/files/");
    await row(page, named("packed.zip")).click({ button: "right" });
    await item(page, say("files.unpackWithOtherNames"));
    await page.getByRole("dialog").waitFor();
  },
  "keys/NewKey (a dialog)": async ({ page, say }) => {
    await walkTo(page, "/settings/api-keys");
    await press(page, say("keys.new"));
  },
  "keys/RevokeDialog": async ({ page, say }) => {
    await walkTo(page, "/settings/api-keys");
    await press(page, say("keys.revoke"));
  },
  "preview/PreviewDialog": async ({ page, named }) => {
    await walkTo(page, `/files/?preview=${named("a.txt")}`);
  },
  "security/SecurityDialogs": async ({ page, say }) => {
    await page.route("**/api/v2/account/security", async (route) => {
      const answer = await route.fetch();
      const security = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...security, totpSince: "2026-11-21T06:14:09" } });
    });
    // What was asked a moment ago would not be asked again.
    await page.goto("/settings/security");
    await press(page, say("security.turnOff"));
    await page.unrouteAll({ behavior: "wait" });
  },
  "security/PasskeyDialog": async ({ page, say }) => {
    const passkey = { id: "1", credentialId: "AA", name: "Phone", aaguid: "", isBackedUp: true };
    const times = { createdAt: "2026-11-21T06:14:09", lastUsedAt: null, counterFellAt: "2026-11-21T06:14:09" };
    await page.route("**/api/v2/account/passkeys", (route) => route.fulfill({ json: [{ ...passkey, ...times }] }));
    await page.goto("/settings/security");
    await press(page, say("passkeys.renameOf", { name: "Phone" }));
    await page.getByRole("dialog").waitFor();
    await page.unrouteAll({ behavior: "wait" });
  },
  "security/TotpDialog": async ({ page, say }) => {
    await page.goto("/settings/security");
    await press(page, say("security.setUp"));
    await page.getByRole("dialog").waitFor();
  },
  "sharing/LeaveButton (a dialog)": async ({ page, say }) => {
    await walkTo(page, "/shared-with-me");
    await press(page, say("sharing.leave"));
  },
  "sharing/ShareDialog": async (stop) => {
    await selected(stop);
    await press(stop.page, stop.say("links.share"));
  },
  "shell/AccountMenu": async ({ page, say, account }) => {
    await walkTo(page, "/files/");
    await press(page, say("shell.account", { name: account }));
  },
  "shortcuts/ShortcutsDialog": async ({ page, named }) => {
    await walkTo(page, "/files/");
    await row(page, named("a.txt")).waitFor();
    await page.keyboard.press("?");
  },
  "uploads/NoRoomDialog": async ({ page, program, named }) => {
    await walkTo(page, "/files/");
    await row(page, named("a.txt")).waitFor();
    await filesInput(page).setInputFiles(fileOf(program, named("much.bin"), "x".repeat(3 * 1024 * 1024)));
  },
};

/** The longest name of what is no file. */
const MOST_CHARACTERS = 100;

/** An account with something on every page. */
export async function fillAll(
  program: Program,
  account: string,
  named: Naming = asTheyAre,
): Promise<{ client: Client; token: string }> {
  const client = program.client(account, named("test").slice(0, MOST_CHARACTERS));
  const album = named("album");
  await client.makeFolder(album);
  await client.put(`${album}/inner.txt`, "inner");
  for (const name of ["a.txt", "<b>محمد.txt", "binned.txt", "packed.zip"]) await client.put(named(name), name);
  const post = (path: string, body: object) => client.call("POST", path, JSON.stringify(body));
  await post("/api/v2/tasks", { kind: "delete", sources: [named("binned.txt")] });
  const name = named("NAS").slice(0, MOST_CHARACTERS);
  const ftp = { kind: "ftp", name, host: "127.0.0.1", port: 9, user: "ann", password: "none", test: false };
  await post("/api/v2/connectors", ftp);
  const target = join(program.folder, `srv/${account}`);
  mkdirSync(target, { recursive: true });
  program.command(["share", "add", "--name", `Team ${account}`, "--target", target, "--account", account]);
  const friend = program.addAccount("--display-name", named("friend").slice(0, MOST_CHARACTERS));
  const theirs = program.client(friend);
  const share = { path: named("theirs"), with: [{ account }], access: "add" };
  await theirs.makeFolder(share.path);
  await theirs.call("POST", "/api/v2/shares", JSON.stringify(share));
  await post("/api/v2/shares", { path: album, with: [{ account: friend }], access: "write" });
  const group = `${account} ${named("and friends")}`.slice(0, MOST_CHARACTERS);
  await post("/api/v2/admin/groups", { name: group, members: [account, friend] });
  const { token } = (await (await post("/api/v2/links", { path: album })).json()) as { token: string };
  return { client, token };
}
