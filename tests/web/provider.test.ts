import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { axeFindings } from "./axe.ts";
import { CLIENT, freePort, IdentityProvider, SECRET } from "./identity_provider.ts";
import { PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";

const [port, providerPort] = [await freePort(), await freePort()];
const settings = `
public_url = "http://127.0.0.1:${port}"
oidc_issuer = "http://127.0.0.1:${providerPort}"
oidc_client_id = "${CLIENT}"
oidc_client_secret_file = "FOLDER/secret"
oidc_name = "Example ID"
oidc_scopes = "openid profile"
oidc_groups_claim = "groups"
oidc_allowed_groups = ["staff"]
`;
const scene = new Scene(settings, port);
writeFileSync(join(scene.program.folder, "secret"), SECRET);
const staff = ["ann", "bob", "carl", "dora", "fay", "gil", "hugo"].map((name) => [name, ["staff"]] as const);
const groups = { ...Object.fromEntries(staff), eve: ["guests"] };
let provider: IdentityProvider;

before(async () => {
  // Set-up is over: only then people come by themselves.
  scene.program.addAccount("--role", "admin");
  provider = await IdentityProvider.start(providerPort, `http://127.0.0.1:${port}`, groups);
});
after(() => provider.stop());

/** A page of somebody who signed in at the provider, and has no password here. */
async function signedIn(name: string, to: string): Promise<Page> {
  const { page } = await scene.visit();
  await page.goto(to);
  await page.getByRole("button", { name: "Sign in with Example ID" }).click();
  await provider.signIn(page, name);
  await page.waitForURL(`**${to}`);
  return page;
}

async function makeKey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("dialog", { name: "New API key" }).getByRole("textbox", { name: "Name" }).fill(name);
  await page.keyboard.press("Enter");
}

/** Somebody who signed in long ago wants a key, and goes to the provider to confirm that it is them. */
async function leftToConfirm(name: string): Promise<Page> {
  const page = await signedIn(name, "/settings/api-keys");
  await page.getByRole("button", { name: "New key" }).waitFor();
  await scene.program.growOld();
  await page.reload();
  await makeKey(page, "importer");
  const button = page.getByRole("button", { name: "Confirm at Example ID" });
  await button.waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await button.click();
  return page;
}

/** Whatever the program knows of it, also that it was away a moment ago, is asked for anew. */
async function forgetTheProvider(): Promise<void> {
  await scene.program.stop();
  await scene.program.start();
}

const linkedSignIns = (page: Page) => page.getByRole("list", { name: "Linked sign-ins" }).getByRole("listitem");
const unconfirmed = (page: Page) => page.getByRole("heading", { name: "It was not confirmed that it is you" });

test("one signs in at the provider, and comes to the page that one wanted", async () => {
  const { page } = await scene.visit();
  await page.goto("/settings/account");
  await page.getByRole("button", { name: "Sign in with Example ID" }).click();
  await provider.signIn(page, "ann");
  await page.waitForURL("**/settings/account");
  await page.getByText("You are signed in as ann.").waitFor();
  await page.getByRole("list", { name: "Sessions" }).getByText("at a provider").waitFor();
  // Without a password there is none to change.
  const password = page.getByRole("region", { name: "Password" });
  await password.getByText("This account has no password here. An administrator can set one.").waitFor();
  await password.getByText("You sign in by: \u2068Example ID\u2069").waitFor();
  assert.equal(await password.getByRole("textbox").count(), 0);
  assert.deepEqual(await axeFindings(page), []);
});

test("who may not sign in is told so, and can come as somebody else", async () => {
  const { page } = await scene.visit();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with Example ID" }).click();
  await provider.signIn(page, "eve");
  await page.getByText("You may not sign in here with that account.").waitFor();
  assert.equal(new URL(page.url()).search, "", "the code stays in no history");
  await page.getByRole("button", { name: "Sign in as someone else" }).click();
  await provider.signIn(page, "bob");
  await page.waitForURL("**/files/");
});

test("an account is linked by its owner, opened by the provider's person, and unlinked", async () => {
  const { account, page } = await scene.visitAs(undefined, undefined, "/settings/security");
  await page.getByRole("button", { name: "Link with Example ID" }).click();
  await provider.signIn(page, "dora");
  await page.waitForURL("**/settings/security");
  const linked = linkedSignIns(page);
  await linked.getByText("Example ID", { exact: true }).waitFor();
  const link = page.getByRole("button", { name: "Link with Example ID" });
  assert.equal(await link.count(), 0, "of one provider one is enough");

  const { page: other } = await scene.visit();
  await other.goto("/settings/account");
  await other.getByRole("button", { name: "Sign in with Example ID" }).click();
  await provider.signIn(other, "dora");
  await other.getByText(`You are signed in as ${account}.`).waitFor();

  await linked.getByRole("button", { name: "Unlink Example ID" }).click();
  await linked.waitFor({ state: "detached" });
  await link.waitFor();
});

test("the last way into an account is not unlinked, neither by its owner nor by an administrator", async () => {
  const page = await signedIn("carl", "/settings/security");
  const linked = linkedSignIns(page);
  await linked.getByRole("button").click();
  const refusal = "Nobody could sign in to the account any more. An administrator can set a password for it first.";
  await page.getByText(refusal).waitFor();
  const admin = await scene.visit();
  await admin.openAs(scene.program.addAccount("--role", "admin"), "/admin/accounts");
  await admin.page.getByRole("button", { name: "Actions for carl", exact: true }).click();
  await admin.page.getByRole("menuitem", { name: "Linked sign-ins…" }).click();
  const dialog = admin.page.getByRole("dialog", { name: "Linked sign-ins of carl" });
  await dialog.getByText("carl", { exact: true }).waitFor();
  await dialog.getByText("Example ID", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Unlink carl" }).click();
  await dialog.getByRole("alert").getByText(refusal).waitFor();
  assert.equal(await linkedSignIns(admin.page).count(), 1);

  scene.program.command(["account", "set", "carl", "--password-stdin"], `${PASSWORD}\n`);
  await dialog.getByRole("button", { name: "Unlink carl" }).click();
  await dialog.getByText("Nobody signs in to this account by a provider.").waitFor();
});

test("somebody's sign-in is not linked with a second account", async () => {
  await signedIn("fay", "/files/");
  const { page } = await scene.visitAs(undefined, undefined, "/settings/security");
  await page.getByRole("button", { name: "Link with Example ID" }).click();
  await provider.signIn(page, "fay");
  await page.getByRole("heading", { name: "The sign-in was not linked" }).waitFor();
  await page.getByText("comes to another account here already").waitFor();
  await page.getByRole("link", { name: "Back to the page that you left" }).click();
  await page.waitForURL("**/settings/security");
  assert.equal(await linkedSignIns(page).count(), 0);
});

test("who has no password confirms at the provider, and then makes the key", async () => {
  const page = await leftToConfirm("gil");
  await provider.signInAgain(page, "gil");
  await page.waitForURL("**/settings/api-keys");
  await makeKey(page, "importer");
  await page.getByRole("dialog", { name: "The key “importer” is made" }).waitFor();
});

test("a confirmation that the provider did not give says so, and can be tried again", async () => {
  const page = await leftToConfirm("hugo");
  await provider.cancel(page);
  await unconfirmed(page).waitFor();
  assert.equal(new URL(page.url()).search, "", "the code stays in no history");
  assert.deepEqual(await axeFindings(page), []);
  // Another person there confirms nothing.
  await page.getByRole("button", { name: "Try again" }).click();
  await provider.signIn(page, "bob");
  await unconfirmed(page).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await provider.signIn(page, "hugo");
  await page.waitForURL("**/settings/api-keys");
  await makeKey(page, "importer");
  await page.getByRole("dialog", { name: "The key “importer” is made" }).waitFor();
});

test("a provider that does not answer is told of, and asked again", async () => {
  const { page } = await scene.visit();
  await page.goto("/sign-in");
  const button = page.getByRole("button", { name: "Sign in with Example ID" });
  await button.waitFor();
  await forgetTheProvider();
  await provider.stop();
  await button.click();
  await page.getByRole("alert").getByText("The provider does not answer.").waitFor();
  provider = await IdentityProvider.start(providerPort, `http://127.0.0.1:${port}`, groups);
  await forgetTheProvider();
  await page.getByRole("button", { name: "Try again" }).click();
  await provider.signIn(page, "ann");
  await page.waitForURL("**/files/");
});
