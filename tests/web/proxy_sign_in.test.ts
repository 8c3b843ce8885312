// A proxy that signs people in, and the page that tests how they sign in.
import assert from "node:assert/strict";
import { createServer, request as passOn, type Server } from "node:http";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./axe.ts";
import { eventually, isCalm } from "./eventually.ts";
import { freePort, IdentityProvider } from "./identity_provider.ts";
import { Scene } from "./scene.ts";

const [port, frontPort, providerPort] = [await freePort(), await freePort(), await freePort()];
const front = `http://127.0.0.1:${frontPort}`;
const settings = `
public_url = "http://127.0.0.1:${port}"
trusted_proxies = ["127.0.0.1"]
proxy_user_header = "X-Remote-User"
proxy_groups_header = "X-Remote-Groups"
proxy_allowed_groups = ["staff"]
oidc_issuer = "http://127.0.0.1:${providerPort}"
oidc_client_id = "coffer"
oidc_groups_claim = "groups"
oidc_admin_groups = ["admins"]
`;
const scene = new Scene(settings, port);
let provider: IdentityProvider;
let proxy: Server;
/** Whom the proxy names; nobody, if it is empty. */
let named = "";
let groups = "staff";
let signIns = 0;

before(async () => {
  scene.program.addAccount("--role", "admin");
  provider = await IdentityProvider.start(providerPort, `http://127.0.0.1:${port}`, {});
  proxy = createServer((incoming, answer) => {
    const headers = { ...incoming.headers };
    if (incoming.url === "/api/v2/session/proxy") signIns++;
    if (named !== "") Object.assign(headers, { "x-remote-user": named, "x-remote-groups": groups });
    const outgoing = passOn(
      { port, host: "127.0.0.1", method: incoming.method, path: incoming.url, headers },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    outgoing.on("error", () => answer.destroy());
    answer.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((settle) => proxy.listen(frontPort, "127.0.0.1", settle));
});
after(async () => {
  await provider.stop();
  proxy.closeAllConnections();
  proxy.close();
});

/** In a browser of its own: what is kept for the proxy's address is not cleared between visits. */
async function openFront(path: string): Promise<Page> {
  const visit = await scene.visit();
  await visit.context.clearCookies();
  await visit.page.goto(front + path);
  return visit.page;
}

const button = (page: Page) => page.getByRole("button", { name: "Single sign-on" });

test("the proxy's person is signed in without being asked, and not again after signing out", async () => {
  named = "ann";
  const page = await openFront("/settings/account");
  await page.getByText("You are signed in as ann.").waitFor();
  await page.getByRole("list", { name: "Sessions" }).getByText("by single sign-on").waitFor();
  await page.getByRole("button", { name: "Account of ann" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await button(page).waitFor();
  signIns = 0;
  await page.reload();
  await button(page).waitFor();
  assert.equal(signIns, 0, "signed out stays signed out");
  await button(page).click();
  await page.waitForURL("**/files/");
  assert.equal(signIns, 1);
});

test("where the proxy names nobody the page asks once, and then for what else there is", async () => {
  named = "";
  signIns = 0;
  const page = await openFront("/sign-in");
  await page.getByLabel("Password").waitFor();
  await button(page).waitFor();
  await eventually(() => signIns === 1, "the page asks the proxy");
  await isCalm(page);
  assert.equal(signIns, 1);
  // The page is loaded anew, so that the proxy could lead to its login, and asks once more.
  await button(page).click();
  await eventually(() => signIns === 3, "the page that is loaded anew asks too");
  await isCalm(page);
  named = "bob";
  await button(page).click();
  await page.waitForURL("**/files/");
  assert.equal(signIns, 4);
});

test("whom the proxy names and the server refuses is told so, without being asked and when asked", async () => {
  [named, groups] = ["eve", "guests"];
  const page = await openFront("/sign-in");
  const refusal = page.getByText("You may not sign in here with that account.");
  await refusal.waitFor();
  await page.getByLabel("Password").fill("x");
  await button(page).click();
  await eventually(async () => (await page.getByLabel("Password").inputValue()) === "", "the refusal clears the form");
  await refusal.waitFor();
  groups = "staff";
  await button(page).click();
  await page.waitForURL("**/files/");
});

test("an account of the proxy has no password to change, and its sign-in has a name for people", async () => {
  named = "dora";
  const page = await openFront("/settings/account");
  const password = page.getByRole("region", { name: "Password" });
  await password.getByText("This account has no password here.").waitFor();
  await password.getByText("You sign in by: \u2068Proxy\u2069").waitFor();
  await page.goto(`${front}/settings/security`);
  const linked = page.getByRole("list", { name: "Linked sign-ins" }).getByRole("listitem");
  await linked.getByText("Proxy", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Link with/ }).waitFor();
});

test("a session of the proxy's person is confirmed by the proxy", async () => {
  named = "carl";
  const page = await openFront("/settings/api-keys");
  let isConfirmed = false;
  await page.route("**/api/v2/keys", (route) => {
    if (route.request().method() !== "POST" || isConfirmed) return route.fallback();
    const problem = { type: "about:blank", title: "Unconfirmed", status: 403, detail: "Confirm.", code: "unconfirmed" };
    return route.fulfill({ status: 403, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
  await page.route("**/api/v2/session/proxy/confirm", async (route) => {
    const answer = await route.fetch();
    isConfirmed = answer.status() === 204;
    return route.fulfill({ response: answer });
  });
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("program");
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await page.getByRole("button", { name: "Confirm by single sign-on" }).click();
  await page.getByLabel("API key", { exact: true }).waitFor();
});

test("administrators test how people sign in, and see what claims would do", async () => {
  named = "";
  const account = scene.program.addAccount("--role", "admin");
  const visit = await scene.visit();
  await visit.openAs(account, "/admin/sign-in");
  const { page } = visit;
  const part = (name: string) => page.getByRole("region", { name, exact: true });
  await part("Rules").getByText("password_sign_in").waitFor();
  await part("Directory").getByText("Not set up").waitFor();
  await page.getByRole("button", { name: "Test sign-in" }).click();
  await page.getByText("Tested. The results are below.").waitFor();
  await part("Provider")
    .getByText(/^Works/)
    .first()
    .waitFor();
  await part("Provider").getByText("ES256").waitFor();
  await part("Proxy").getByText("The proxy does not say who you are").waitFor();

  const claims = page.getByRole("textbox", { name: "Claims of a person" });
  await claims.fill("[]");
  await page.getByText("Tested. The results are below.").waitFor({ state: "detached" });
  await page.getByText("Enter one JSON object, or nothing.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Test sign-in" }).isDisabled(), true);
  await claims.fill(JSON.stringify({ sub: "s-1", preferred_username: account, groups: ["admins"] }));
  await page.getByRole("button", { name: "Test sign-in" }).click();
  const outcome = part("What a sign-in would do");
  await outcome.getByText("Administrator").waitFor();
  await outcome.getByText("which would be made").waitFor();
  await outcome.getByText(`The account “${account}” has the person's name.`).waitFor();
  await assertAccessible(page);
  await claims.fill("{}");
  await outcome.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Test sign-in" }).click();
  await page.getByRole("alert").getByText("The claims name no person").waitFor();
});
