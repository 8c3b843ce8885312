import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "node:test";
import type { Download, Page } from "playwright-core";
import { assertAccessibleInBoth } from "./axe.ts";
import type { Look } from "./browser.ts";
import { becomes } from "./list.ts";
import { LOOKS } from "./looks.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";
import { fileOf } from "./uploading.ts";

const scene = new Scene();

/** An account, and somebody without one who has a link of it. */
async function guestOf(prepare: (client: Client) => Promise<void>, link: object, look?: Look) {
  const client = scene.program.client(scene.program.addAccount());
  await prepare(client);
  const answer = await client.call("POST", "/api/v2/links", JSON.stringify(link));
  const { id, token } = (await answer.json()) as { id: string; token: string };
  const visit = await scene.visit(look);
  return { client, visit, page: visit.page, id, address: `/s/${token}` };
}

const row = (page: Page, name: string) =>
  page.getByRole("grid", { name: "Files" }).getByRole("row", { name, exact: true });

const focused = (page: Page, name: string) =>
  becomes(() => page.evaluate(() => document.activeElement?.getAttribute("data-key")?.split("/").at(-1)), name);

async function downloaded(page: Page, begin: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent("download"), begin()]);
  return { name: (download as Download).suggestedFilename(), bytes: await readFile(await download.path()) };
}

async function fillHoliday(it: Client): Promise<void> {
  await it.makeFolder("holiday/beach");
  await it.put("holiday/one.txt", "of one");
  await it.put("holiday/beach/two.txt", "of two");
}

test("20: a folder is walked through and downloaded, one file or all", async () => {
  const { page, address } = await guestOf(fillHoliday, { path: "holiday" });
  await page.goto(address);
  const one = await downloaded(page, () =>
    row(page, "one.txt").getByRole("button", { name: "Download one.txt" }).click(),
  );
  assert.deepEqual([one.name, one.bytes.toString()], ["one.txt", "of one"]);
  const all = await downloaded(page, () => page.getByRole("button", { name: "Download all" }).click());
  assert.deepEqual([all.name, all.bytes.subarray(0, 2).toString()], ["holiday.zip", "PK"]);

  await row(page, "beach").click();
  await page.waitForURL(`**${address}/beach`);
  await row(page, "two.txt").waitFor();
  await page.reload();
  await row(page, "two.txt").waitFor();
  const path = page.getByRole("navigation", { name: "Path" });
  assert.deepEqual(await path.getByRole("link").allTextContents(), ["holiday", "beach"]);
  await path.getByRole("link", { name: "holiday" }).click();
  await row(page, "one.txt").waitFor();
});

test("20: a folder is walked through by keys alone", async () => {
  const { page, address } = await guestOf(fillHoliday, { path: "holiday" });
  await page.goto(address);
  await row(page, "beach").focus();
  await page.keyboard.press("Enter");
  // Nobody has to look for the focus: it is in the list, and comes back to where it was.
  await focused(page, "two.txt");
  const two = await downloaded(page, () => page.keyboard.press("Enter"));
  assert.equal(two.bytes.toString(), "of two");
  await page.goBack();
  await focused(page, "beach");
});

test("20: a link that is used up says so, while it is looked at too", async () => {
  const { page, address, client } = await guestOf(fillHoliday, { path: "holiday/one.txt", maxDownloads: 1 });
  await page.goto(address);
  await page.getByText("1 download left").waitFor();
  await downloaded(page, () => page.getByRole("button", { name: "Download" }).click());
  await page.getByRole("heading", { name: "This link is used up" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Download" }).count(), 0);
  await assertAccessibleInBoth(page);

  const answer = await client.call("POST", "/api/v2/links", JSON.stringify({ path: "holiday", maxDownloads: 1 }));
  const { token } = (await answer.json()) as { token: string };
  await page.goto(`/s/${token}`);
  await downloaded(page, () => page.getByRole("button", { name: "Download all" }).click());
  await page.getByRole("status").getByText("This link is used up").waitFor();
  for (const name of ["Download all", "Download one.txt"]) {
    assert.equal(await page.getByRole("button", { name }).isDisabled(), true, name);
  }
  await row(page, "beach").click();
  await row(page, "two.txt").waitFor();
  await assertAccessibleInBoth(page);
});

test("20: a password is asked for, a wrong one told, the right one remembered", async () => {
  const { page, address } = await guestOf(fillHoliday, { path: "holiday", password: "correct horse" });
  await page.goto(address);
  const field = page.getByLabel("Password");
  await field.fill("something else");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("alert").getByText("The password is wrong.").waitFor();
  assert.equal(await page.getByText("holiday").count(), 0);
  await field.fill("correct horse");
  await page.keyboard.press("Enter");
  await row(page, "one.txt").waitFor();
  await page.reload();
  await row(page, "one.txt").waitFor();
});

test("20: one file is shown by its name and size, and downloaded", async () => {
  const { page, address } = await guestOf((it) => it.put("a & b.txt", "x".repeat(2048)), { path: "a & b.txt" });
  await page.goto(address);
  await page.getByRole("heading", { name: "a & b.txt" }).waitFor();
  await page.getByText("2.0 KB").waitFor();
  const file = await downloaded(page, () => page.getByRole("button", { name: "Download" }).click());
  assert.deepEqual([file.name, file.bytes.length], ["a & b.txt", 2048]);
});

test("20: guests put files into a folder that they do not see into", async () => {
  const { client, page, address } = await guestOf(
    async (it) => {
      await it.makeFolder("inbox");
      await it.put("inbox/a.txt", "was there");
    },
    { path: "inbox", mode: "upload" },
  );
  await page.goto(address);
  await page.getByRole("heading", { name: "Upload to “inbox”" }).waitFor();
  assert.equal(await page.getByText("a.txt").count(), 0);
  const large = Buffer.alloc(3 * 1024 * 1024, "x");
  const files = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"].map((name) => ({
    name,
    mimeType: "text/plain",
    buffer: name === "e.txt" ? large : Buffer.from(name),
  }));
  await page.locator("input[type=file][multiple]").setInputFiles(files);
  await page.getByRole("list", { name: "Uploads" }).getByText("Uploaded").nth(4).waitFor();
  const names = await client.names("inbox");
  assert.equal(names.length, 6);
  // What was there stays as it was.
  assert.equal(await client.text("inbox/a.txt"), "was there");
  assert.equal(await client.text("inbox/b.txt"), "b.txt");
  assert.equal((await client.text("inbox/e.txt")).length, large.length);
});

test("20: a folder that guests drop is refused in words, and the file beside it goes up", async () => {
  const { client, page, address } = await guestOf((it) => it.makeFolder("inbox"), { path: "inbox", mode: "upload" });
  await page.goto(address);
  await page.getByRole("heading", { name: /inbox/ }).waitFor();
  const folder = dirname(fileOf(scene.program, "dropped/inner.txt", "inner"));
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder, fileOf(scene.program, "single.txt", "single")], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await devtools.send("Input.dispatchDragEvent", { type, x: 700, y: 300, data });
  }
  await page.getByText("Folders cannot be uploaded here.").waitFor();
  await page.getByRole("listitem").filter({ hasText: "single.txt" }).getByText("Uploaded").waitFor();
  assert.equal(await page.getByText("dropped").count(), 0);
  assert.deepEqual(await client.names("inbox"), ["single.txt"]);
});

test("20: an upload that is interrupted goes on where it was", async () => {
  const { client, page, address } = await guestOf((it) => it.makeFolder("inbox"), { path: "inbox", mode: "upload" });
  await page.goto(address);
  const file = { name: "big.bin", mimeType: "text/plain", buffer: Buffer.alloc(1024 * 1024, "y") };
  await page.route("**/uploads/*", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.fallback(),
  );
  const begun = page.waitForResponse((answer) => answer.request().method() === "POST" && answer.status() === 201);
  const input = page.locator("input[type=file][multiple]");
  await input.setInputFiles(file);
  await begun;
  await page.getByRole("progressbar", { name: "Progress of big.bin" }).waitFor();
  await page.unroute("**/uploads/*");
  await page.getByRole("list", { name: "Uploads" }).getByText("Uploaded").waitFor();
  assert.deepEqual(await client.names("inbox"), ["big.bin"]);
});

test("20: a link that was ended says so, while it is looked at too", async () => {
  const { client, page, id, address } = await guestOf(fillHoliday, { path: "holiday" });
  await page.goto(address);
  await row(page, "beach").waitFor();
  await client.call("DELETE", `/api/v2/links/${id}`);
  await row(page, "beach").click();
  await page.getByRole("alert").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "This link opens nothing" }).waitFor();
});

test("20: guests load nothing of the interface of those who are signed in", async () => {
  const { page, address } = await guestOf(fillHoliday, { path: "holiday" });
  const scripts: string[] = [];
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    (pathname.startsWith("/api/") ? calls : scripts).push(pathname);
  });
  await page.goto(address);
  await row(page, "one.txt").waitFor();
  assert.deepEqual(
    scripts.filter((path) => /Shell|FilesPage|Admin|BinPage|AccountMenu|SignInPage/.test(path)),
    [],
  );
  assert.deepEqual(
    calls.filter((path) => !path.startsWith("/api/v2/guest/")),
    [],
  );
});

const HOSTILE = ["100%25", "a?b#c", "%2F", "<img src=x onerror=alert(1)>", "$path", "a&b=c+d", "محمد"];

test("20: folders with any name are opened, and their files downloaded", async () => {
  const { page, address } = await guestOf(
    async (it) => {
      for (const name of HOSTILE) {
        await it.makeFolder(`top/${name}`);
        await it.put(`top/${name}/in it.txt`, name);
      }
    },
    { path: "top" },
  );
  await page.goto(address);
  for (const name of HOSTILE) {
    await row(page, name).click();
    await row(page, "in it.txt").waitFor();
    await page.reload();
    const file = await downloaded(page, () => row(page, "in it.txt").getByRole("button").click());
    assert.equal(file.bytes.toString(), name);
    await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "top" }).click();
    await row(page, name).waitFor();
  }
});

for (const look of LOOKS) {
  test(`8: axe finds nothing on any of the guests' pages: ${look.name}`, async () => {
    const { client, page, address } = await guestOf(fillHoliday, { path: "holiday", maxDownloads: 9 }, look);
    const more = [
      { path: "holiday/one.txt" },
      { path: "holiday", password: "correct horse" },
      { path: "holiday", mode: "upload" },
    ];
    const addresses = [address, "/s/nothing"];
    for (const link of more) {
      const answer = await client.call("POST", "/api/v2/links", JSON.stringify(link));
      addresses.push(`/s/${((await answer.json()) as { token: string }).token}`);
    }
    for (const one of addresses) {
      await page.goto(one);
      await page.getByRole("heading", { level: 1 }).or(page.getByRole("grid")).first().waitFor();
      await page.getByRole("status", { name: /./ }).waitFor({ state: "detached" });
      await assertAccessibleInBoth(page);
    }
  });
}
