import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { ConsentServer } from "./consent_server.ts";
import { dialogLooksRight, LOOKS, looksRight } from "./looks.ts";
import { LOGIN, RemoteServer } from "./remote_server.ts";
import { Scene } from "./scene.ts";
import { WebdavServer } from "./webdav_server.ts";

const scene = new Scene();
const PAGE = "/settings/connectors";
let sftp: RemoteServer;
let ftp: RemoteServer;
let dav: WebdavServer;

before(async () => {
  sftp = await RemoteServer.start("sftp");
  ftp = await RemoteServer.start("ftp");
  dav = await WebdavServer.start();
  dav.write("cloudy.txt", "of the drive");
});
after(async () => {
  for (const server of [sftp, ftp, dav]) await server?.stop();
});

/** Servers on this machine are for administrators alone. */
async function visitAsAdministrator() {
  const account = scene.program.addAccount("--role", "admin");
  const visit = await scene.visit();
  await visit.signIn(account, PAGE);
  return { account, page: visit.page };
}

const item = (page: Page, name: string) =>
  page.getByRole("list", { name: "Connectors" }).getByRole("listitem", { name, exact: true });

async function chooseKind(page: Page, kind: string): Promise<Locator> {
  await page.getByRole("button", { name: "Add connector" }).click();
  await page.getByRole("option", { name: new RegExp(`^${kind}( |$)`) }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name", exact: true }).waitFor();
  return dialog;
}

async function fillServer(dialog: Locator, name: string, port: number, password = LOGIN.password): Promise<void> {
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await dialog.getByRole("textbox", { name: "Server" }).fill("127.0.0.1");
  await dialog.getByRole("textbox", { name: "Port" }).fill(String(port));
  await dialog.getByRole("textbox", { name: "User name" }).fill(LOGIN.user);
  await dialog.getByRole("textbox", { name: "Password" }).fill(password);
}

async function holds(page: Page, name: string, file: string): Promise<void> {
  await item(page, name).getByRole("link", { name }).click();
  await page.getByRole("grid", { name: "Files" }).getByRole("row", { name: file }).waitFor();
  await page.goto(PAGE);
}

test("7: an SFTP server is added behind its fingerprint, edited and removed", async () => {
  const { page } = await visitAsAdministrator();
  const dialog = await chooseKind(page, "SFTP");
  await fillServer(dialog, "NAS", sftp.port, "wrong");
  await dialog.getByRole("button", { name: "Test" }).click();
  assert.equal(await dialog.getByLabel("Fingerprint").textContent(), sftp.fingerprint);
  await dialog.getByRole("button", { name: "Trust this key" }).click();
  await dialog.getByRole("alert").getByText(/./).waitFor();
  await dialog.getByRole("textbox", { name: "Password" }).fill(LOGIN.password);
  await dialog.getByRole("button", { name: "Test" }).click();
  await dialog.getByText("It works").waitFor();
  await dialog.getByRole("button", { name: "Connect" }).click();
  await page.getByText("“NAS” is connected").waitFor();
  await holds(page, "NAS", "there.txt");
  await item(page, "NAS")
    .getByText(/^Worked/)
    .waitFor();

  await item(page, "NAS").getByRole("button", { name: "Edit" }).click();
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Attic");
  await dialog.getByText("Change nothing there").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await item(page, "Attic").getByText("Read-only").waitFor();
  await item(page, "Attic").getByRole("button", { name: "Test" }).click();
  await item(page, "Attic").getByText("It works").waitFor();

  await item(page, "Attic").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("heading", { name: "Nothing is connected yet" }).waitFor();
});

test("7: an SFTP server that is not the right one gets no password", async () => {
  const { page } = await visitAsAdministrator();
  const dialog = await chooseKind(page, "SFTP");
  await fillServer(dialog, "NAS", sftp.port);
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByText("Is this the right server?").waitFor();
  await dialog.getByRole("button", { name: "Back" }).click();
  assert.equal(await dialog.getByRole("textbox", { name: "Server" }).inputValue(), "127.0.0.1");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Nothing is connected yet" }).waitFor();
});

test("7: an FTP server is added by keys alone", async () => {
  const { page } = await visitAsAdministrator();
  await page.getByRole("button", { name: "Add connector" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: /^FTP / }).waitFor();
  await page.keyboard.type("ftp");
  await page.keyboard.press("Tab");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add connector: FTP" });
  await dialog.getByRole("textbox", { name: "Server" }).waitFor();
  const typed = ["Old NAS", "127.0.0.1", String(ftp.port)];
  for (const text of typed) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Tab");
  await page.keyboard.type(LOGIN.user);
  await page.keyboard.press("Tab");
  await page.keyboard.type(LOGIN.password);
  await page.keyboard.press("Enter");
  await page.getByText("“Old NAS” is connected").waitFor();
  await holds(page, "Old NAS", "there.txt");
});

test("25: an administrator connects a server for another account", async () => {
  const owner = scene.program.addAccount();
  const { page } = await visitAsAdministrator();
  await page.goto("/admin/connectors");
  await page.getByRole("button", { name: "Add connector" }).click();
  const first = page.getByRole("dialog", { name: "Add connector" });
  await first.getByRole("combobox", { name: "Account" }).selectOption(owner);
  await first.getByRole("button", { name: "Next" }).click();
  await page.getByRole("option", { name: /^FTP( |$)/ }).click();
  const dialog = page.getByRole("dialog");
  await fillServer(dialog, "For them", ftp.port);
  await dialog.getByRole("combobox", { name: /ncryption/ }).selectOption("none");
  await dialog.getByRole("button", { name: "Connect" }).click();
  const listed = page.getByRole("grid", { name: "Connectors" }).getByRole("row", { name: "For them" });
  await listed.getByText(owner, { exact: true }).first().waitFor();
  const theirs = await scene.visit();
  await theirs.signIn(owner);
  await theirs.page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "For them" }).waitFor();
  assert.equal(await page.getByRole("navigation", { name: "Locations" }).getByText("For them").count(), 0);
});

test("7: a drive's form is made from its schema, and a name that is taken is told beside it", async () => {
  const { page } = await visitAsAdministrator();
  const name = "<img src=x onerror=alert(1)>";
  for (const time of ["first", "again"]) {
    const dialog = await chooseKind(page, "WebDAV");
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    await dialog.getByRole("textbox", { name: "URL" }).fill(dav.options[3]?.slice("url=".length) ?? "");
    await dialog.getByRole("combobox", { name: "Vendor" }).click();
    await page.getByRole("option", { name: /^other/ }).click();
    await dialog.getByRole("button", { name: "Connect" }).click();
    if (time === "first") await page.getByText(`“${name}” is connected`).waitFor();
    else await dialog.getByText(`You have a connector “${name}” already.`).waitFor();
  }
  await page.keyboard.press("Escape");
  await holds(page, name, "cloudy.txt");
});

test("7: the login of a drive is pasted, and what is none is not taken", async () => {
  const { page } = await visitAsAdministrator();
  const dialog = await chooseKind(page, "Google Drive");
  const command = await dialog.getByRole("textbox", { name: /^Run this/ }).inputValue();
  assert.match(command, /^rclone authorize "drive" "[\w+/]+"$/);
  const pasted = dialog.getByRole("textbox", { name: "What it prints" });
  await pasted.fill("something else");
  await dialog.getByText("This is not what the command prints.").waitFor();
  await pasted.fill('--->\n{"access_token":"at","expiry":"2099-01-01T00:00:00Z"}\n<---End paste');
  await dialog.getByText("This is a login.").waitFor();
  await dialog.getByText("More options").click();
  await dialog.getByRole("textbox", { name: "Client ID" }).waitFor();
});

const RETURN_PAGE = `${PAGE}/authorized`;

test("7: a drive is logged in to at its provider, and later again", async () => {
  const provider = await ConsentServer.start(scene.program.url + RETURN_PAGE);
  try {
    const { page } = await visitAsAdministrator();
    const signIn = async (dialog: Locator) => {
      const opened = page.context().waitForEvent("page");
      await dialog.getByRole("button", { name: "Sign in at HiDrive" }).click();
      await opened;
      await dialog.getByText("You are signed in. Continue here.").waitFor();
    };
    const dialog = await chooseKind(page, "HiDrive");
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Cloud");
    await dialog.getByText(/With a client ID of your own/).waitFor();
    await dialog.getByText("More options").click();
    for (const [name, value] of Object.entries(provider.fields)) {
      await dialog.getByLabel(name, { exact: true }).fill(value);
    }
    const redirect = dialog.getByRole("textbox", { name: /allowed to send people back/ });
    assert.equal(await redirect.inputValue(), scene.program.url + RETURN_PAGE);
    await signIn(dialog);
    await dialog.getByRole("button", { name: "Connect" }).click();
    await page.getByText("“Cloud” is connected").waitFor();
    await holds(page, "Cloud", ConsentServer.FILE);

    await item(page, "Cloud").getByRole("button", { name: "Edit" }).click();
    await signIn(dialog);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("“Cloud” is changed").waitFor();
    await holds(page, "Cloud", ConsentServer.FILE);
  } finally {
    await provider.stop();
  }
});

test("7: a provider that cannot be reached is told in the window where the login was begun", async () => {
  const provider = await ConsentServer.start(scene.program.url + RETURN_PAGE);
  try {
    const { page } = await visitAsAdministrator();
    const dialog = await chooseKind(page, "HiDrive");
    await dialog.getByText("More options").click();
    for (const [name, value] of Object.entries({ ...provider.fields, "Token URL": "http://127.0.0.1:1/token" })) {
      await dialog.getByLabel(name, { exact: true }).fill(value);
    }
    await dialog.getByRole("button", { name: "Sign in at HiDrive" }).click();
    await dialog
      .getByRole("alert")
      .getByText(/token address/)
      .waitFor();
  } finally {
    await provider.stop();
  }
});

test("7: a login that no window waits for is told, and its code stays in no address", async () => {
  const { page } = await scene.visit();
  await page.goto(`${RETURN_PAGE}?code=12345678901234567890&state=x`);
  await page.getByRole("heading", { name: "No window is waiting for this login" }).waitFor();
  assert.equal(new URL(page.url()).search, "");
  await page.goto(RETURN_PAGE);
  await page.getByRole("heading", { name: "This page is only for drives’ providers" }).waitFor();
});

test("7: an address that the server refuses is told, and another account sees nothing of the connectors", async () => {
  const { page } = await scene.visitAs(undefined, undefined, PAGE);
  await page.getByRole("heading", { name: "Nothing is connected yet" }).waitFor();
  const dialog = await chooseKind(page, "FTP");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByText("Enter a name.").waitFor();
  await fillServer(dialog, "NAS", ftp.port);
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog
    .getByRole("alert")
    .getByText(/address/)
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Nothing is connected yet" }).waitFor();
});

test("8: the page of connectors looks right", async (t: TestContext) => {
  const account = scene.program.addAccount("--role", "admin");
  const client = scene.program.client(account);
  const server = { kind: "ftp", host: "127.0.0.1", user: LOGIN.user, password: LOGIN.password };
  for (const more of [
    { name: "Old NAS", port: ftp.port, description: "In the attic" },
    { name: "Gone", port: 1, test: false, readOnly: true },
  ]) {
    await client.call("POST", "/api/v2/connectors", JSON.stringify({ ...server, ...more }));
  }
  for (const look of LOOKS) {
    await t.test(look.name, async () => {
      const visit = await scene.visit(look);
      await visit.beginSession(account);
      const { page } = visit;
      await page.goto(PAGE);
      await page.getByRole("listitem", { name: "Old NAS" }).waitFor();
      await page.getByRole("listitem", { name: "Gone" }).getByRole("button").first().click();
      await page
        .getByRole("listitem", { name: "Gone" })
        .getByText(/FTP server/)
        .waitFor();
      await looksRight(page, "connectors", look);
      await page.locator("main").getByRole("button").first().click();
      await page.getByRole("option", { name: "Dropbox" }).waitFor();
      await dialogLooksRight(page, "connector-kinds", look);
      await page.getByRole("option").first().click();
      await page.getByRole("radio").first().waitFor();
      await dialogLooksRight(page, "connector-sftp", look);
      await page.goto(RETURN_PAGE);
      await page.getByRole("heading", { level: 2 }).waitFor();
      await looksRight(page, "connector-authorized", look);
    });
  }
});
