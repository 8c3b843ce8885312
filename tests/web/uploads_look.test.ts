import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { Look } from "./browser.ts";
import { Scene } from "./scene.ts";
import { fileOf, filesInput, largeFile, MIB, slowDown } from "./uploading.ts";

const scene = new Scene();
const axe = await readFile(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe finds in a part of the page. DevTools may run it where the page's policy lets nothing else in. */
async function findings(page: Page, selector: string): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Runtime.evaluate", { expression: axe });
  const run = `axe.run(${JSON.stringify(selector)}).then((found) => found.violations.map(({ id, nodes }) =>
    id + ": " + nodes.map(({ html }) => html).join(" ")))`;
  const answer = await devtools.send("Runtime.evaluate", { expression: run, awaitPromise: true, returnByValue: true });
  return answer.result.value as string[];
}

const LOOKS: Look[] = [
  { theme: "light" },
  { theme: "dark" },
  { theme: "light", language: "ar" },
  { theme: "dark", width: 360, height: 740, touch: true },
];

for (const look of LOOKS) {
  test(`axe finds nothing in the question and the list: ${JSON.stringify(look)}`, async () => {
    const { page } = await scene.visitAs(async (it) => it.put("a.txt", "old"), look);
    await page.locator("[role=row]", { hasText: "a.txt" }).waitFor();
    await filesInput(page).setInputFiles(fileOf(scene.program, "a.txt", "new"));
    const dialog = page.getByRole("alertdialog");
    await dialog.waitFor();
    assert.deepEqual(await findings(page, "[role=alertdialog]"), []);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await slowDown(page, MIB);
    await filesInput(page).setInputFiles(largeFile(scene.program, "large.bin", 16).path);
    await page.getByRole("button", { name: look.language === "ar" ? "المهام" : "Tasks" }).click();
    await page.getByRole("progressbar").waitFor();
    assert.deepEqual(await findings(page, "section:has([role=progressbar])"), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.equal(wide, false, "nothing is wider than the page");
  });
}
