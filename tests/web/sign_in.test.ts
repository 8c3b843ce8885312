import assert from "node:assert/strict";
import { test } from "node:test";
import { isCalm } from "./eventually.ts";
import { HeldLine } from "./held_line.ts";
import { type Client, PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

test("25: the set-up link leads to an administrator, the files, out and in again", async () => {
  const { page } = await scene.visit();
  await page.goto(scene.program.setUpLink());
  await page.getByRole("textbox", { name: "User name" }).fill("ann");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create administrator" }).click();
  await page.waitForURL("**/files/");
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();

  await page.getByRole("button", { name: "Account of ann" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await page.goto("/files/");
  await page.waitForURL("**/sign-in?to=%2Ffiles%2F");

  await page.getByRole("textbox", { name: "User name" }).fill("ann");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/files/");
});

test("25: signing out asks for nothing any more of the account that was signed in", async () => {
  const { page } = await scene.visitAs(undefined, undefined, "/settings/account");
  await page.getByRole("list", { name: "Sessions" }).waitFor();
  await isCalm(page);
  const refused: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() === 401) refused.push(new URL(answer.url()).pathname);
  });
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await isCalm(page);
  assert.deepEqual(refused, []);
});

test("25: a set-up link that was used says so", async () => {
  const { page } = await scene.visit();
  await page.goto("/set-up#0123456789");
  await page.getByText("This server is set up already.").waitFor();
  await page.getByRole("link", { name: "Go to the sign-in page" }).click();
  await page.waitForURL("**/sign-in");
});

test("25: a wrong password is told beside the fields, and the name stays", async () => {
  const account = scene.program.addAccount();
  const { page } = await scene.visit();
  await page.goto("/sign-in");
  await page.getByRole("textbox", { name: "User name" }).fill(account);
  await page.getByRole("textbox", { name: "Password" }).fill("something else");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("The user name or the password is wrong.").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "User name" }).inputValue(), account);
  assert.equal(await page.getByRole("textbox", { name: "Password" }).inputValue(), "");
});

test("22: a session that ends in the middle of work leads to the sign-in page and back", async (t) => {
  // Changes that are told would lead there too.
  const line = await HeldLine.before(scene.program, (_, path) => path.startsWith("/api/v2/events"));
  t.after(() => line.close());
  const prepare = async (client: Client) => {
    await client.makeFolder("holiday");
    await client.put("holiday/photo.jpg");
  };
  const { account, page } = await scene.visitAs(prepare, {}, `${line.url}/files/`);
  await page.getByRole("row", { name: "holiday" }).dblclick();
  await page.getByRole("row", { name: "photo.jpg" }).waitFor();
  scene.program.command(["session", "end", "--account", account, "--all"]);
  await page.getByRole("button", { name: "New folder" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("beach");
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL("**/sign-in?to=%2Ffiles%2Fholiday");
  await page.getByText("Your session has ended.").waitFor();
  await page.getByRole("textbox", { name: "User name" }).fill(account);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/files/holiday");
  await page.getByRole("row", { name: "photo.jpg" }).waitFor();
});

test("25: the sign-in page leads nowhere else", async () => {
  const account = scene.program.addAccount();
  for (const to of ["//example.org/", "/\\example.org/", "https://example.org/", "javascript:alert(1)"]) {
    const { page } = await scene.visit();
    await page.goto(`/sign-in?${new URLSearchParams({ to })}`);
    await page.getByRole("textbox", { name: "User name" }).fill(account);
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${scene.program.url}/files/`);
  }
});
