import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./axe.ts";
import { becomes, hasFocus, row } from "./list.ts";
import { LOOKS } from "./looks.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

const text = (page: Page, name = "plan.txt") => page.getByRole("textbox", { name: `Text of ${name}` });
const saved = (page: Page) => page.getByText("All changes are saved");
const question = (page: Page) => page.getByRole("alertdialog", { name: "Somebody else changed this file" });

async function atWork(content = "one\ntwo\n", name = "plan.txt") {
  const visit = await scene.visitAs(async (it) => it.put(name, content));
  const { page } = visit;
  await page.goto(`/files/?preview=${name}&edit=true`);
  await text(page, name).click();
  await page.keyboard.press("Control+Home");
  return visit;
}

test("16: a text is opened, changed and saved, by mouse", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.put("plan.txt", "one\r\ntwo\r\n"));
  await row(page, "plan.txt").dblclick();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.waitForURL("**/files/?preview=plan.txt&edit=true");
  await text(page).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("zero");
  await page.keyboard.press("Enter");
  await page.getByText("Not saved yet").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await saved(page).waitFor();
  assert.equal(await client.text("plan.txt"), "zero\r\none\r\ntwo\r\n");
  await page.keyboard.press("Control+End");
  await text(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("end");
  await page.keyboard.press("Control+s");
  await saved(page).waitFor();
  assert.equal(await client.text("plan.txt"), "zero\r\none\r\ntwo\r\nend");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Edit" }).waitFor();
  await page.getByText("zero").waitFor();
});

test("16: another's newer version is never overwritten unasked, and can be replaced", async () => {
  const { client, page } = await atWork();
  await page.keyboard.type("mine ");
  await client.put("plan.txt", "theirs");
  await page.keyboard.press("Control+s");
  await question(page).getByText("theirs", { exact: true }).waitFor();
  await question(page).getByText("mine one").waitFor();
  assert.equal(await client.text("plan.txt"), "theirs");
  // A third version that nobody has seen is asked about again.
  await client.put("plan.txt", "third");
  await question(page).getByRole("button", { name: "Replace with mine" }).click();
  await question(page).getByText("third").waitFor();
  assert.equal(await client.text("plan.txt"), "third");
  await question(page).getByRole("button", { name: "Replace with mine" }).click();
  await saved(page).waitFor();
  assert.equal(await client.text("plan.txt"), "mine one\ntwo\n");
});

test("16: of two versions the other is taken, or both are kept", async () => {
  const { client, page } = await atWork();
  await page.keyboard.type("mine ");
  await client.put("plan.txt", "theirs");
  await page.keyboard.press("Control+s");
  await question(page).getByRole("button", { name: "Keep both" }).click();
  await page.getByText("Yours is kept as “plan (2).txt”").waitFor();
  assert.equal(await client.text("plan (2).txt"), "mine one\ntwo\n");
  assert.equal(await client.text("plan.txt"), "theirs");
  await becomes(() => text(page).textContent(), "theirs");
  await text(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" and mine");
  await client.put("plan.txt", "newer");
  await page.keyboard.press("Control+s");
  await question(page).getByRole("button", { name: "Cancel" }).press("Enter");
  await page.getByText("Not saved yet").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "Save" }).click();
  await question(page).getByRole("button", { name: "Take the server’s" }).click();
  await saved(page).waitFor();
  await becomes(() => text(page).textContent(), "newer");
});

test("16: what was deleted meanwhile is stored anew", async () => {
  const { client, page } = await atWork();
  await page.keyboard.type("mine ");
  await client.call(
    "POST",
    "/api/v2/tasks",
    JSON.stringify({ kind: "delete", sources: ["plan.txt"], permanent: true }),
  );
  await becomes(() => client.names(), []);
  await page.keyboard.press("Control+s");
  await question(page).getByText("was deleted meanwhile").waitFor();
  await question(page).getByRole("button", { name: "Save" }).click();
  await saved(page).waitFor();
  assert.equal(await client.text("plan.txt"), "mine one\ntwo\n");
});

test("16: what is not saved is not lost without a question", async () => {
  const { client, page } = await atWork();
  await page.keyboard.type("mine ");
  await page.getByRole("button", { name: "Done" }).click();
  const leave = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await leave.getByRole("button", { name: "Continue editing" }).click();
  assert.equal(await text(page).textContent(), "mine onetwo");
  // The focus comes back when the question has gone, and with it the keys.
  await leave.waitFor({ state: "detached" });
  await hasFocus(page);
  await page.keyboard.press("Escape");
  await leave.getByRole("button", { name: "Leave" }).click();
  await row(page, "plan.txt").waitFor();
  assert.equal(await client.text("plan.txt"), "one\ntwo\n");
});

test("16: a text is written back in the encoding that it has, or in UTF-8 where that lacks a character", async () => {
  const { client, page } = await scene.visitAs(async (it) => {
    await it.put("wide.txt", Uint8Array.from(Buffer.from("\ufeffGröße\r\n", "utf16le")));
    await it.put("latin.txt", new Uint8Array([0x63, 0xe9]));
  });
  const bytes = async (name: string) =>
    Buffer.from(await (await client.call("GET", `/api/v2/files/content?path=${name}`)).arrayBuffer());
  const typeInto = async (name: string, letters: string) => {
    await page.goto(`/files/?preview=${name}&edit=true`);
    await text(page, name).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.insertText(letters);
    await page.keyboard.press("Control+s");
  };
  await typeInto("wide.txt", "日");
  await saved(page).waitFor();
  assert.equal((await bytes("wide.txt")).toString("utf16le"), "\ufeff日Größe\r\n");
  await typeInto("latin.txt", "ü");
  await saved(page).waitFor();
  assert.deepEqual([...(await bytes("latin.txt"))], [0xfc, 0x63, 0xe9]);
  await page.keyboard.insertText("日");
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByText("Windows-1252 has no place for “日”.").waitFor();
  await assertAccessibleInBoth(page);
  assert.deepEqual([...(await bytes("latin.txt"))], [0xfc, 0x63, 0xe9]);
  await page.getByRole("button", { name: "Save as UTF-8" }).click();
  await saved(page).waitFor();
  assert.equal((await bytes("latin.txt")).toString(), "ü日cé");
});

test("16: what is no text, or cannot be written as it was, or is too long, is not edited", async () => {
  const { page } = await scene.visitAs(async (it) => {
    await it.put("noise.txt", new Uint8Array([1, 2, 0, 3]));
    await it.put("long.txt", "0123456789abcde\n".repeat(140_000));
    await it.put("empty.txt", "");
  });
  await page.goto("/files/?preview=noise.txt&edit=true");
  await page.getByText("Its encoding cannot be written here").waitFor();
  await page.goto("/files/?preview=noise.txt");
  await page.getByRole("heading", { name: "There is no preview of this file." }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Edit" }).count(), 0);
  await page.goto("/files/?preview=long.txt");
  await page.getByText("This is the beginning.").waitFor();
  await page.goto("/files/?preview=long.txt&edit=true");
  await page.getByText("It is larger than 2.0 MB.").waitFor();
  await page.goto("/files/?preview=empty.txt&edit=true");
  await text(page, "empty.txt").waitFor();
});

test("16: a refusal by the server stands beside the text, which stays", async () => {
  const account = scene.program.addAccount();
  const target = `${scene.program.folder}/read`;
  mkdirSync(target);
  chmodSync(target, 0o777);
  writeFileSync(`${target}/plan.txt`, "one");
  scene.program.command(["share", "add", "--name", "Team", "--target", target, "--account", account]);
  const { page, ...visit } = await scene.visit().then(async (it) => {
    await it.signIn(account);
    return it;
  });
  assert.ok(visit);
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Team" }).click();
  await row(page, "plan.txt").dblclick();
  await page.getByRole("button", { name: "Edit" }).click();
  await text(page).click();
  await page.keyboard.type("x");
  scene.program.command(["share", "set", "Team", "--read-only", "true"]);
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByText("You are not allowed to do this here.").waitFor();
  await page.getByText("Not saved yet").waitFor();
});

for (const look of LOOKS) {
  test(`16: axe finds nothing in the editor and its questions: ${look.name}`, async () => {
    const { client, page } = await scene.visitAs(async (it) => it.put("plan.ts", "const one = 1;\n"), look);
    await page.goto("/files/?preview=plan.ts&edit=true");
    await page.getByRole("textbox").click();
    await page.keyboard.type("mine ");
    await assertAccessibleInBoth(page);
    await client.put("plan.ts", "theirs");
    await page.keyboard.press("Control+s");
    await page.getByRole("alertdialog").getByText("theirs", { exact: true }).waitFor();
    await assertAccessibleInBoth(page);
  });
}
