import assert from "node:assert/strict";
import { test } from "node:test";
import { LOOKS, looksRight } from "./looks.ts";
import { Scene } from "./scene.ts";
import { fillAll, routePaths } from "./tour.ts";

const scene = new Scene('share_roots = ["FOLDER/srv"]\n');

/** Where each route is looked at; null for those that lead to another at once. */
const PAGES: Record<string, string | null> = {
  "/": null,
  "/files": "/files/",
  "/bin": "/bin",
  "/links": "/links",
  "/share": "/share",
  "/settings": null,
  "/settings/account": "/settings/account",
  "/settings/api-keys": "/settings/api-keys",
  "/settings/connectors": "/settings/connectors",
  "/settings/connectors/authorized": "/settings/connectors/authorized",
  "/admin": null,
  "/admin/accounts": "/admin/accounts",
  "/admin/shares": "/admin/shares",
  "/admin/connectors": "/admin/connectors",
  "/admin/storage": "/admin/storage",
  "/admin/sessions": "/admin/sessions",
  "/admin/audit": "/admin/audit",
  "/admin/settings": "/admin/settings",
  "/sign-in": "/sign-in",
  "/set-up": "/set-up#x",
  "/s/$token": "/s/TOKEN",
};

test("8: the tour goes to every route", () => {
  assert.deepEqual(Object.keys(PAGES).sort(), routePaths().sort());
});

for (const look of LOOKS) {
  test(`8: axe finds nothing on any page: ${look.name}`, async () => {
    const account = scene.program.addAccount("--role", "admin");
    const { token, client } = await fillAll(scene.program, account);
    await client.makeFolder("Empty");
    const visit = await scene.visit(look);
    const { page } = visit;
    await visit.beginSession(account);
    const lookAt = async (path: string, name = path, prepare = async () => {}) => {
      await page.goto(path.replace("TOKEN", token));
      await page.locator("h1").first().waitFor({ state: "attached" });
      await prepare();
      await page.waitForLoadState("networkidle");
      await looksRight(page, `page${name}`, look);
    };
    for (const path of [...Object.values(PAGES), "/files/Empty"]) if (path !== null) await lookAt(path);
    await lookAt("/files/", "-grid", () => page.locator("[aria-pressed]:has(svg.lucide-layout-grid)").click());
  });
}
