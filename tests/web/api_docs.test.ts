import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { assertAccessible, inDark } from "./axe.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const VERSIONS = [
  { path: "/api/docs", own: "/api/v1", other: "/api/v1/files/download" },
  { path: "/api/v2/docs", own: "/api/v2", other: "/api/v2/uploads" },
];

const operation = (page: Page, path: string): Locator =>
  page.locator(".opblock-get, .opblock-post").filter({ has: page.locator(`[data-path="${path}"]`) });

/** Enters a key as the viewer asks for it. */
async function authorize(page: Page, key: string): Promise<void> {
  await page.getByRole("button", { name: "Authorize", exact: true }).click();
  const dialog = page.locator(".dialog-ux");
  await dialog.getByRole("textbox").fill(key);
  await dialog.getByRole("button", { name: "Apply credentials" }).click();
  await dialog.getByRole("button", { name: "Close" }).last().click();
}

/** Sends the call of an open operation; what it answered. */
async function tried(open: Locator, status: string): Promise<string> {
  await open.getByRole("button", { name: "Execute" }).click();
  const answer = open.locator(".live-responses-table .response");
  await answer.locator(".response-col_status", { hasText: status }).waitFor();
  return (await answer.textContent()) ?? "";
}

// Of a long description the viewer draws what is in view, and what is scrolled to.
const HIGH = { height: 20_000 };

for (const { path, own, other } of VERSIONS) {
  test(`19: a call is tried with a key at ${path}, without the session`, async () => {
    const { account, page } = await scene.visitAs(undefined, HIGH, "/settings/api-keys");
    const owner = scene.program.addAccount();
    const { key } = JSON.parse(
      scene.program.command(["key", "create", "--account", owner, "--name", "docs", "--json"]),
    );
    await page.goto(path);
    await operation(page, other).first().waitFor();
    const open = operation(page, `${own}/account`);
    await open.locator(".opblock-summary-control").click();
    await open.getByRole("button", { name: "Try it out" }).click();
    assert.doesNotMatch(await tried(open, "401"), new RegExp(`"${account}"`));
    await authorize(page, key);
    assert.match(await tried(open, "200"), new RegExp(`"${owner}"`));
  });
}

test("19: each description leads to the other one, and to the description for programs", async () => {
  const { page } = await scene.visit();
  await page.goto("/api/docs");
  for (const [name, address] of [
    ["Version 2", "/api/v2/openapi.json"],
    ["Version 1", "/api/openapi.json"],
  ] as const) {
    await page.getByRole("link", { name }).click();
    await page.locator(`nav a[aria-current=page]`, { hasText: name }).waitFor();
    assert.equal(await page.getByRole("link", { name: "OpenAPI" }).getAttribute("href"), address);
  }
});

test("8: what stands around the viewer is accessible in both themes, also on a phone", async () => {
  for (const width of [1440, 360]) {
    const { page } = await scene.visit({ width, ...HIGH });
    await page.goto("/api/v2/docs");
    await operation(page, "/api/v2/account").waitFor();
    await assertAccessible(page, `${width}`, "header");
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(isWider, false, `${width}: the page is wider than the screen`);
    await inDark(page, () => assertAccessible(page, `${width}, dark`, "header"));
  }
});
