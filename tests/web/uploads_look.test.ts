import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessibleInBoth } from "./axe.ts";
import { LOOKS } from "./looks.ts";
import { Scene } from "./scene.ts";
import { fileOf, filesInput, largeFile, MIB, slowDown } from "./uploading.ts";

const scene = new Scene();

for (const look of LOOKS) {
  test(`8: axe finds nothing in the question and the list: ${look.name}`, async () => {
    const { page } = await scene.visitAs(async (it) => it.put("a.txt", "old"), look);
    await page.locator("[role=row]", { hasText: "a.txt" }).waitFor();
    await filesInput(page).setInputFiles(fileOf(scene.program, "a.txt", "new"));
    const dialog = page.getByRole("alertdialog");
    await dialog.waitFor();
    await assertAccessibleInBoth(page, "uploads", "[role=alertdialog]");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await slowDown(page, MIB);
    await filesInput(page).setInputFiles(largeFile(scene.program, "large.bin", 16).path);
    await page.getByRole("button", { name: look.language === "ar" ? "المهام" : "Tasks" }).click();
    await page.getByRole("progressbar").waitFor();
    await assertAccessibleInBoth(page, "uploads", "section:has([role=progressbar])");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.equal(wide, false, "nothing is wider than the page");
  });
}
