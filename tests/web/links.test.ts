import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { hasFocus } from "./list.ts";
import { LOOKS } from "./looks.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

type Link = {
  path: string;
  mode: string;
  hasPassword: boolean;
  maxDownloads: number | null;
  expiresAt: string | null;
  token: string;
};

async function linksOf(client: Client): Promise<Link[]> {
  return (await (await client.call("GET", "/api/v2/links")).json()) as Link[];
}

const file = (page: Page, name: string) =>
  page.getByRole("grid", { name: "Files" }).getByRole("row", { name, exact: true });
const link = (page: Page, name: string) =>
  page.getByRole("grid", { name: "Share links" }).getByRole("row", { name, exact: true });

async function openShareDialog(page: Page, name: string) {
  await file(page, name).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  return page.getByRole("dialog", { name: `Share “${name}”` });
}

test("20: a link with password, end and limit is made, copied, listed and ended", async () => {
  const { client, visit, page } = await scene.visitAs(async (it) => it.put("photo.jpg", "a picture"));
  await visit.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const dialog = await openShareDialog(page, "photo.jpg");
  // What a file's guests can do is no question.
  assert.equal(await dialog.getByRole("combobox", { name: "Guests can" }).count(), 0);
  await dialog.getByLabel("Password").fill("short");
  await dialog.getByLabel("Limit of downloads").fill("none");
  await dialog.getByLabel("Last day").fill("2001-01-31");
  await dialog.getByRole("button", { name: "Create link" }).click();
  await dialog.getByText("Use at least 8 characters, or none at all.").waitFor();
  await dialog.getByText("Enter a whole number from 1 to 1000000.").waitFor();
  await dialog.getByText("This day is over.").waitFor();
  assert.deepEqual(await linksOf(client), []);
  await dialog.getByLabel("Password").fill("correct horse");
  await dialog.getByLabel("Limit of downloads").fill("3");
  await dialog.getByLabel("Last day").fill("2099-01-31");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const address = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  await dialog.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("The link is in the clipboard").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);

  const [made] = await linksOf(client);
  assert.deepEqual(
    [made?.path, made?.mode, made?.hasPassword, made?.maxDownloads, made?.expiresAt],
    ["photo.jpg", "read", true, 3, "2099-01-31T23:59:59"],
  );
  assert.equal(address, `${scene.program.url}/s/${made?.token}`);
  await dialog.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Share links" }).click();
  await page.waitForURL("**/links");
  await link(page, "photo.jpg").getByRole("gridcell", { name: "0 of 3 downloads" }).waitFor();
  await link(page, "photo.jpg").getByRole("button", { name: "End link" }).click();
  const question = page.getByRole("alertdialog", { name: "End this link?" });
  await question.getByRole("button", { name: "End link" }).click();
  await page.getByRole("heading", { name: "You share nothing by links" }).waitFor();
  await eventually(async () => (await linksOf(client)).length === 0, "the server has ended it");
});

test("20: an upload link on a folder is made by keys alone", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.makeFolder("inbox"));
  await file(page, "inbox").click();
  await page.getByRole("button", { name: "Share", exact: true }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Share “inbox”" });
  const mode = dialog.getByRole("combobox", { name: "Guests can" });
  await mode.focus();
  await page.keyboard.press("ArrowDown");
  await dialog.getByText("They put files into the folder").waitFor();
  assert.equal(await dialog.getByLabel("Limit of downloads").count(), 0);
  await dialog.getByLabel("Password").press("Enter");
  await dialog.getByRole("textbox", { name: "Link" }).waitFor();
  await hasFocus(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const [made] = await linksOf(client);
  assert.deepEqual([made?.path, made?.mode, made?.hasPassword], ["inbox", "upload", false]);
});

test("20: the links of an item stand in its dialog, and end there", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    await it.put("a.txt");
    await it.call("POST", "/api/v2/links", JSON.stringify({ path: "a.txt", maxDownloads: 7 }));
  });
  const dialog = await openShareDialog(page, "a.txt");
  await dialog.getByText("0 of 7 downloads").waitFor();
  await dialog.getByRole("button", { name: "End link" }).click();
  await dialog.getByText("0 of 7 downloads").waitFor({ state: "detached" });
  await page.getByText("The link opens nothing any more").waitFor();
  assert.deepEqual(await linksOf(client), []);
});

test("20: a refusal is told in the dialog, which stays as it is", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.put("a.txt"));
  const dialog = await openShareDialog(page, "a.txt");
  await client.call("PATCH", "/api/v2/files", JSON.stringify({ path: "a.txt", newName: "b.txt" }));
  await dialog.getByLabel("Limit of downloads").fill("5");
  await dialog.getByRole("button", { name: "Create link" }).click();
  await dialog.getByRole("alert").getByText("It is not there any more.").waitFor();
  assert.equal(await dialog.getByLabel("Limit of downloads").inputValue(), "5");
});

for (const language of ["en", "de", "ar"]) {
  test(`20: all that bounds a link is read in the list: ${language}`, async () => {
    const make = async (it: Client) => {
      await it.makeFolder("inbox");
      const end = { password: "correct horse", expiresAt: "2099-01-31T23:59:59" };
      await it.call("POST", "/api/v2/links", JSON.stringify({ path: "inbox", maxDownloads: 1000, ...end }));
    };
    const { page } = await scene.visitAs(make, { language }, "/links");
    await page.getByRole("row", { name: "inbox" }).waitFor();
    const cut = await page
      .getByRole("gridcell")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    assert.deepEqual(cut, []);
  });
}

test("20: unfinished uploads are listed with who began them, and ended", async () => {
  const { client, page } = await scene.visitAs(
    async (it) => {
      await it.makeFolder("inbox");
      const body = JSON.stringify({ path: "inbox", mode: "upload" });
      const { token } = (await (await it.call("POST", "/api/v2/links", body)).json()) as Link;
      const headers = {
        "Tus-Resumable": "1.0.0",
        "Upload-Length": "2048",
        "Upload-Metadata": `filename ${btoa("film.mp4")}`,
      };
      await fetch(`${scene.program.url}/api/v2/guest/${token}/uploads`, { method: "POST", headers });
    },
    {},
    "/links",
  );
  const grid = page.getByRole("grid", { name: "Unfinished uploads" });
  const row = grid.getByRole("row", { name: "film.mp4" });
  await row.getByText("A guest, from 127.0.0.1").filter({ visible: true }).first().waitFor();
  await row.getByRole("button", { name: "End upload" }).click();
  const question = page.getByRole("alertdialog", { name: "End this upload?" });
  await question.getByRole("button", { name: "End upload" }).click();
  await grid.waitFor({ state: "detached" });
  const left = (await (await client.call("GET", "/api/v2/uploads")).json()) as { entries: unknown[] };
  assert.deepEqual(left.entries, []);
});

test("20: links are their account's alone", async () => {
  await scene.visitAs(async (it) => {
    await it.put("secret.txt");
    await it.call("POST", "/api/v2/links", JSON.stringify({ path: "secret.txt" }));
  });
  const { page } = await scene.visitAs(async () => {}, {}, "/links");
  await page.getByRole("heading", { name: "You share nothing by links" }).waitFor();
});

// It is opened by the names that things have in English.
for (const look of LOOKS.filter(({ language }) => !language)) {
  test(`8: axe finds nothing in the list and the dialog: ${look.name}`, async () => {
    const account = scene.program.addAccount();
    const client = scene.program.client(account);
    for (const path of ["<b>bold", "محمد.txt"]) {
      await client.put(path);
      await client.call("POST", "/api/v2/links", JSON.stringify({ path, maxDownloads: 2, password: "correct horse" }));
    }
    const visit = await scene.visit(look);
    await visit.openAs(account, "/links");
    await link(visit.page, "محمد.txt")
      .or(visit.page.getByRole("row", { name: /محمد/ }))
      .first()
      .waitFor();
    await assertAccessibleInBoth(visit.page);
    await visit.page.goto("/files/");
    const dialog = await openShareDialog(visit.page, "<b>bold");
    await dialog.getByText("0 of 2 downloads").waitFor();
    await assertAccessibleInBoth(visit.page);
  });
}
