import { test } from "node:test";
import { isCalm } from "./eventually.ts";
import { LOOKS, looksRight } from "./looks.ts";
import { Scene } from "./scene.ts";
import { fillAll, PAGES, visited } from "./tour.ts";

const scene = new Scene('share_roots = ["FOLDER/srv"]\n');

for (const look of LOOKS) {
  test(`8: axe finds nothing on any page: ${look.name}`, async () => {
    const account = scene.program.addAccount("--role", "admin");
    const { token, client } = await fillAll(scene.program, account);
    await client.makeFolder("Empty");
    const visit = await scene.visit(look);
    const { page } = visit;
    await visit.beginSession(account);
    const lookAt = async (path: string, name = path, prepare = async () => {}) => {
      await page.goto(visited(path, token));
      await page.locator("h1").first().waitFor({ state: "attached" });
      await prepare();
      await isCalm(page);
      await looksRight(page, `page${name}`, look);
    };
    for (const path of [...PAGES, "/files/Empty"]) await lookAt(path);
    await lookAt("/files/", "-grid", () => page.locator("[aria-pressed]:has(svg.lucide-layout-grid)").click());
  });
}
