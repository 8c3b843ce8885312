import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { dialogLooksRight, LOOKS, looksRight } from "./looks.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const PAGE = "/settings/api-keys";

const grid = (page: Page) => page.getByRole("grid", { name: "API keys" });
const row = (page: Page, name: string) => grid(page).getByRole("row", { name: new RegExp(`^${name}`) });
const secret = (page: Page) => page.getByRole("textbox", { name: "API key", exact: true }).inputValue();

/** What curl gets with a secret: the status, then the body. */
function curl(path: string, key: string, ...options: string[]): { status: string; body: string } {
  const format = ["-s", "-w", "\n%{http_code}", "-H", `X-API-Key: ${key}`];
  const said = execFileSync("curl", [...format, ...options, `${scene.program.url}${path}`], { encoding: "utf8" });
  const lines = said.split("\n");
  return { status: lines.pop() ?? "", body: lines.join("\n") };
}

/** Runs the line as it stands, in a shell. */
function listed(line: string): string[] {
  const said = execFileSync("sh", ["-c", `${line} -s`], { encoding: "utf8" });
  return (JSON.parse(said) as { entries: { name: string }[] }).entries.map(({ name }) => name);
}

test("19: a key for a folder is made by mouse, its line works in a shell, and it is revoked", async () => {
  const { page } = await scene.visitAs(
    async (client) => {
      await client.makeFolder("album/2026");
      await client.put("album/2026/beach.jpg");
      await client.put("secret.txt");
    },
    undefined,
    PAGE,
  );
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog", { name: "New API key" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("importer");
  await dialog.getByRole("button", { name: "Folder" }).click();
  await dialog.getByRole("row", { name: "album" }).getByRole("button").click();
  await dialog.getByRole("row", { name: "2026" }).click();
  await dialog.getByRole("button", { name: "Folder album/2026" }).waitFor();
  await dialog.getByRole("radio", { name: "Read only" }).check({ force: true });
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("dialog", { name: "The key “importer” is made" }).waitFor();
  const key = await secret(page);
  const line = await page.getByRole("textbox", { name: "Try it in a terminal" }).inputValue();
  assert.deepEqual(listed(line), ["beach.jpg"]);
  assert.equal(curl("/api/v2/files/content?path=beach.jpg", key).body, "content");
  assert.equal(curl("/api/v2/files/content?path=../../secret.txt", key).status, "403");
  assert.equal(curl("/api/v2/account", key).status, "403");
  const write = curl("/api/v2/files/content?path=new.txt", key, "-X", "PUT", "-d", "new");
  assert.equal(write.status, "403");

  // Neither a click beside the dialog nor Escape loses the secret.
  await page.mouse.click(5, 5);
  await page.keyboard.press("Escape");
  assert.equal(await secret(page), key);
  await page.getByRole("button", { name: "Done" }).click();
  await row(page, "importer").getByText("album/2026").waitFor();
  await row(page, "importer").getByText("Read only").waitFor();
  await page.reload();
  await row(page, "importer").waitFor();
  assert.ok(!(await page.content()).includes(key), "the secret is shown once");

  await row(page, "importer").getByRole("button", { name: "Revoke" }).click();
  const question = page.getByRole("alertdialog", { name: "Revoke “importer”?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  assert.equal(curl("/api/v2/files", key).status, "200");
  await row(page, "importer").getByRole("button", { name: "Revoke" }).click();
  await question.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("“importer” is revoked").waitFor();
  await row(page, "importer").waitFor({ state: "detached" });
  assert.equal(curl("/api/v2/files", key).status, "401");
});

test("19: a key is made and copied by keys alone, and its last use is seen", async () => {
  const { page, visit } = await scene.visitAs(undefined, undefined, PAGE);
  await visit.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "New key" }).focus();
  await page.keyboard.press("Enter");
  const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
  await name.waitFor();
  await page.keyboard.type("by keys");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "The key “by keys” is made" }).waitFor();
  const key = await secret(page);
  await page.getByRole("button", { name: "Copy", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Copied").waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
  await page.getByRole("button", { name: "Done" }).focus();
  await page.keyboard.press("Enter");
  await row(page, "by keys").getByText("Not yet").waitFor();
  await eventually(
    () => page.getByRole("button", { name: "New key" }).evaluate((one) => one === document.activeElement),
    "the focus is where it was",
  );
  assert.equal(curl("/api/v2/files", key).status, "200");
  // The server writes down late when a key was used, but all of it when it stops.
  await scene.program.stop();
  await scene.program.start();
  await page.reload();
  await row(page, "by keys").waitFor();
  await row(page, "by keys").getByText("Not yet").waitFor({ state: "detached" });
});

/** The secret of a key that is made in the page. */
async function madeByHand(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await page.getByRole("dialog", { name: `The key “${name}” is made` }).waitFor();
  const made = await secret(page);
  await page.getByRole("button", { name: "Done" }).click();
  return made;
}

function madeWith(key: string, name: string): { id: string; key: string } {
  const { body } = curl(`/api/v1/keys?name=${name}`, key, "-X", "POST");
  return (JSON.parse(body) as { data: { id: string; key: string } }).data;
}

test("19: what was made with a key is ended with it, if so wished", async () => {
  const { page } = await scene.visitAs(async (client) => client.makeFolder("album"), undefined, PAGE);
  const leaked = await madeByHand(page, "leaked");
  const { key: child } = madeWith(leaked, "child");
  const { key: grandchild } = madeWith(child, "grandchild");
  const link = curl("/api/v2/links", leaked, "-H", "Content-Type: application/json", "-d", '{"path":"album"}');
  const { token } = JSON.parse(link.body) as { token: string };
  await page.reload();
  const question = page.getByRole("alertdialog");

  await row(page, "child").getByText("made with “leaked”").waitFor();
  await row(page, "leaked").getByRole("button", { name: "Revoke" }).click();
  const too = question.getByRole("checkbox", { name: "Also end the keys and links that were made with it" });
  await question.getByText(/^\u2068child\u2069 · \u2068grandchild\u2069 · \u2068album\u2069$/).waitFor();
  assert.equal(await too.isChecked(), false);
  await question.getByRole("button", { name: "Cancel" }).click();

  await row(page, "grandchild").getByRole("button", { name: "Revoke" }).click();
  await question.getByText("refused at once").waitFor();
  assert.equal(await too.count(), 0, "nothing was made with it");
  await question.getByRole("button", { name: "Cancel" }).click();

  await row(page, "child").getByRole("button", { name: "Revoke" }).click();
  await question.getByText(/^\u2068grandchild\u2069$/).waitFor();
  await question.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("“child” is revoked").waitFor();
  await row(page, "grandchild").getByText("made with a key that is revoked").waitFor();
  assert.equal(curl("/api/v2/files", grandchild).status, "200");

  await row(page, "leaked").getByRole("button", { name: "Revoke" }).click();
  await too.check();
  await question.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("“leaked” and the others are revoked").waitFor();
  for (const key of [leaked, child, grandchild]) assert.equal(curl("/api/v2/files", key).status, "401");
  assert.equal(curl(`/api/v2/guest/${token}`, "none").status, "404");
  for (const name of ["leaked", "child", "grandchild"]) await row(page, name).waitFor({ state: "detached" });
});

test("19: what a key made that then revoked itself is ended together", async () => {
  const { page } = await scene.visitAs(undefined, undefined, PAGE);
  const kept = await madeByHand(page, "kept");
  const thief = madeWith(kept, "thief");
  const [one, two] = [madeWith(kept, "one"), madeWith(thief.key, "two")];
  const root = (JSON.parse(curl("/api/v2/keys", kept).body) as { id: string; name: string }[]).find(
    ({ name }) => name === "kept",
  );
  assert.ok(root);
  assert.equal(curl(`/api/v1/keys/${root.id}`, kept, "-X", "DELETE").status, "200");
  await page.reload();
  await row(page, "one").getByText("made with a key that is revoked").waitFor();
  await row(page, "one").getByRole("button", { name: "Revoke" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText(/^\u2068thief\u2069 · \u2068two\u2069$/).waitFor();
  await question
    .getByRole("checkbox", { name: "Also end the other keys and links that were made with the same key" })
    .check();
  await question.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("“one” and the others are revoked").waitFor();
  for (const { key } of [thief, one, two]) assert.equal(curl("/api/v2/files", key).status, "401");
  for (const name of ["thief", "one", "two"]) await row(page, name).waitFor({ state: "detached" });
});

test("19: what a key made that revoked itself ends apart from what others made", async () => {
  const { page } = await scene.visitAs(undefined, undefined, PAGE);
  const kept = await madeByHand(page, "kept");
  const [good, thief] = [madeWith(kept, "good"), madeWith(kept, "thief")];
  const [one, two] = [madeWith(thief.key, "one"), madeWith(thief.key, "two")];
  const three = madeWith(two.key, "three");
  const hidden = madeWith(thief.key, "hidden");
  const four = madeWith(hidden.key, "four");
  for (const { id, key } of [thief, hidden])
    assert.equal(curl(`/api/v1/keys/${id}`, key, "-X", "DELETE").status, "200");
  await page.reload();
  await row(page, "good").getByText("made with “kept”").waitFor();
  await row(page, "four").getByRole("button", { name: "Revoke" }).click();
  await page.getByText(/^\u2068one\u2069 · \u2068two\u2069 · \u2068three\u2069$/).waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await row(page, "two").getByRole("button", { name: "Revoke" }).click();
  const question = page.getByRole("alertdialog");
  const own = question.getByRole("checkbox", { name: "Also end the keys and links that were made with it" });
  const kin = question.getByRole("checkbox", {
    name: "Also end the other keys and links that were made with the same key",
  });
  await question.getByText(/^\u2068three\u2069$/).waitFor();
  await question.getByText(/^\u2068one\u2069 · \u2068three\u2069 · \u2068four\u2069$/).waitFor();
  await own.check();
  await kin.check();
  assert.equal(await own.isChecked(), false, "it is one or the other");
  await question.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("“two” and the others are revoked").waitFor();
  for (const { key } of [one, two, three, four]) assert.equal(curl("/api/v2/files", key).status, "401");
  for (const key of [kept, good.key]) assert.equal(curl("/api/v2/files", key).status, "200");
});

test("19: what is missing is told beside its field, and what the server refuses in the dialog", async () => {
  const { account, page, visit } = await scene.visitAs(async (client) => client.makeFolder("gone"), undefined, PAGE);
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Enter a name.").waitFor();
  await dialog.getByRole("textbox", { name: "Name" }).fill("late");
  const end = dialog.getByRole("combobox", { name: "Expires" });
  await end.selectOption("On a day…");
  await dialog.getByLabel("Last day").fill("2020-01-31");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Choose a day in the future.").waitFor();
  await end.selectOption("In 30 days");
  await dialog.getByRole("button", { name: "Folder" }).click();
  await dialog.getByRole("row", { name: "gone" }).click();
  await scene.program.client(account).call("DELETE", "/api/v1/files?path=gone");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("alert").getByText("It is not there any more.").waitFor();
  assert.deepEqual(visit.trouble, []);
});

test("19: hostile names of keys and folders are shown as they are, and their keys work", async () => {
  const folders = ['$(touch pwned) "; echo `id`', "<img src=x onerror=alert(1)>", "a'b&c=d%2F"];
  const { page } = await scene.visitAs(
    async (client) => {
      for (const folder of folders) {
        await client.makeFolder(folder);
        await client.put(`${folder}/within.txt`);
      }
    },
    undefined,
    PAGE,
  );
  for (const folder of folders) {
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill(folder);
    await dialog.getByRole("button", { name: "Folder" }).click();
    await dialog.getByRole("row", { name: folder, exact: true }).click();
    await dialog.getByRole("button", { name: "Create" }).click();
    const line = await page.getByRole("textbox", { name: "Try it in a terminal" }).inputValue();
    assert.deepEqual(listed(line), ["within.txt"]);
    await page.getByRole("button", { name: "Done" }).click();
    await grid(page).getByText(folder, { exact: true }).first().waitFor();
  }
});

test("19: another account sees its own keys alone, and the descriptions of the API are there", async () => {
  const first = await scene.visitAs(undefined, undefined, PAGE);
  await row(first.page, "test").waitFor();
  scene.program.command(["key", "create", "--account", first.account, "--name", "only of the first"]);
  const { page } = await scene.visitAs(undefined, undefined, PAGE);
  await row(page, "test").waitFor();
  assert.equal(await grid(page).getByText("only of the first").count(), 0);
  for (const name of ["Description of the API, version 1", "Version 2"]) {
    const address = await page.getByRole("link", { name }).getAttribute("href");
    assert.equal((await fetch(`${scene.program.url}${address}`)).status, 200);
  }
});

test("8: the page of keys looks right", async (t: TestContext) => {
  const account = scene.program.addAccount();
  const client = scene.program.client(account);
  await client.makeFolder("Photos/2026");
  const body = { name: "Photo import", folder: "Photos/2026", access: "read", expiresAt: "2099-01-31T00:00:00" };
  await client.call("POST", "/api/v2/keys", JSON.stringify(body));
  for (const look of LOOKS) {
    await t.test(look.name, async () => {
      const visit = await scene.visit(look);
      await visit.beginSession(account);
      const { page } = visit;
      await page.goto(PAGE);
      await page.getByRole("grid").getByText("Photo import").waitFor();
      await looksRight(page, "api-keys", look);
      await page.locator("main").getByRole("button").first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox").first().fill("look");
      await dialog.getByRole("button").first().click();
      await dialog.getByRole("row", { name: "Photos" }).waitFor();
      await dialogLooksRight(page, "new-api-key", look);
      await dialog.getByRole("textbox").first().press("Enter");
      await dialog.getByRole("textbox").nth(1).waitFor();
      await dialog.getByText("X-API-Key").waitFor();
      await dialogLooksRight(page, "api-key-made", look);
    });
  }
});
