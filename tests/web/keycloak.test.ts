import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { CLIENT, freePort, SECRET } from "./identity_provider.ts";
import { Keycloak, type Person } from "./keycloak.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";

const [port, keycloakPort] = [await freePort(), await freePort()];
const SITE = `http://127.0.0.1:${port}`;
const ISSUER = `http://127.0.0.1:${keycloakPort}/realms/example`;
const settings = `
public_url = "${SITE}"
oidc_issuer = "${ISSUER}"
oidc_client_id = "${CLIENT}"
oidc_client_secret_file = "FOLDER/secret"
oidc_name = "Keycloak"
oidc_groups_claim = "groups"
oidc_admin_groups = ["admins"]
oidc_group_quotas = ["staff=100GiB", "*=1GiB"]
`;
const scene = new Scene(settings, port);
writeFileSync(join(scene.program.folder, "secret"), SECRET);
let keycloak: Keycloak;
let admin: Client;

before(async () => {
  // Set-up is over: only then people come by themselves.
  admin = scene.program.client(scene.program.addAccount("--role", "admin"));
  keycloak = await Keycloak.start(keycloakPort, SITE, scene.program.folder);
});
after(() => keycloak?.stop());

/** Presses the button of the sign-in page, and signs in at Keycloak's; a page with the person's files. */
async function signedIn(person: Person): Promise<Page> {
  const { page } = await scene.visit();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with Keycloak" }).click();
  await keycloak.signIn(page, person);
  await page.waitForURL("**/files/");
  await page.getByRole("button", { name: `Account of ${person.name}` }).waitFor();
  return page;
}

async function accountOf({ name }: Person): Promise<{ role: string; storageLimit: number }> {
  const answer = await admin.call("GET", `/api/v2/admin/accounts/${name}`);
  return (await answer.json()) as { role: string; storageLimit: number };
}

/** Comes back from the provider without a page of it, as where a session has grown old. */
const SILENTLY = "/api/v2/session/oidc/start?prompt=none&return=/files/";

test("somebody signs in and has an account with the quota of their group", async () => {
  const person = await keycloak.addPerson("ann", ["staff"]);
  const { page } = await scene.visit();
  const callbacks: URL[] = [];
  page.on("request", (request) => {
    const address = new URL(request.url());
    if (address.pathname.endsWith("/session/oidc/callback")) callbacks.push(address);
  });
  await page.goto("/sign-in?to=%2Fsettings%2Faccount");
  await page.getByRole("button", { name: "Sign in with Keycloak" }).click();
  await keycloak.signIn(page, person);
  await page.waitForURL("**/settings/account");
  await page.getByText("You are signed in as ann.").waitFor();
  assert.deepEqual(
    callbacks.map(({ searchParams }) => searchParams.get("iss")),
    [ISSUER],
  );
  const { role, storageLimit } = await accountOf(person);
  assert.deepEqual([role, storageLimit], ["user", 100 * 2 ** 30]);
});

test("a group makes administrators", async () => {
  const person = await keycloak.addPerson("root2", ["admins"]);
  const page = await signedIn(person);
  await page.goto("/admin/accounts");
  await page.getByRole("grid", { name: "Accounts" }).getByText("root2").first().waitFor();
  const { role, storageLimit } = await accountOf(person);
  assert.deepEqual([role, storageLimit], ["admin", 2 ** 30]);
});

for (const [name, isNamed] of [
  ["bob", true],
  ["carl", false],
] as const) {
  test(`a sign-out at Keycloak ends the open page (${isNamed ? "its session" : "the person"} is named)`, async () => {
    await keycloak.nameSessions(isNamed);
    const person = await keycloak.addPerson(name);
    const page = await signedIn(person);
    await keycloak.signOut(person);
    await page.waitForURL("**/sign-in?**");
    await page.getByText("Your session has ended.").waitFor();
  });
}

test("a new key of Keycloak counts at the next sign-in", async () => {
  await signedIn(await keycloak.addPerson("dora"));
  const { before, now } = await keycloak.rotateKeys();
  assert.notEqual(before, now);
  await signedIn(await keycloak.addPerson("emil"));
});

test("who is disabled at Keycloak does not come back, not even silently", async () => {
  const person = await keycloak.addPerson("fay");
  const page = await signedIn(person);
  const endSessions = () => scene.program.command(["session", "end", "--account", person.name, "--all"]);
  endSessions();
  await page.goto(SILENTLY);
  await page.waitForURL("**/files/");
  await page.getByRole("button", { name: `Account of ${person.name}` }).waitFor();

  await keycloak.disable(person);
  endSessions();
  const answer = await page.goto(SILENTLY);
  assert.equal(answer?.status(), 401);
  await page.getByRole("heading", { name: "Signing in did not work" }).waitFor();
  await page.goto("/files/");
  await page.waitForURL("**/sign-in?**");
});

test("a sign-out here ends the session at Keycloak too", async () => {
  const person = await keycloak.addPerson("gil");
  const page = await signedIn(person);
  assert.equal(await keycloak.countSessions(person), 1);
  await page.getByRole("button", { name: `Account of ${person.name}` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await eventually(async () => (await keycloak.countSessions(person)) === 0, "the session ends");
  await page.waitForURL(`${SITE}/sign-in**`);
});
