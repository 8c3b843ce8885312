// The list of files, as tests look at it.
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";

export const grid = (page: Page): Locator => page.getByRole("grid", { name: "Files" });
export const row = (page: Page, name: string): Locator => grid(page).getByRole("row", { name, exact: true });

async function names(page: Page): Promise<(string | null)[]> {
  return grid(page)
    .getByRole("row")
    .evaluateAll((rows) => rows.map((one) => one.getAttribute("aria-label")));
}

/** Waits until keys go somewhere: what had the focus may just have gone, and it comes back a moment later. */
export async function hasFocus(page: Page): Promise<void> {
  await becomes(() => page.evaluate(() => document.activeElement === document.body), false);
}

/** Looks until something is so; what it was last is told where it never is. */
export async function becomes<Value>(look: () => Promise<Value>, wanted: Value): Promise<void> {
  await eventually(async () => {
    assert.deepEqual(await look(), wanted);
    return true;
  }, JSON.stringify(wanted));
}

export async function shows(page: Page, wanted: string[]): Promise<void> {
  await becomes(() => names(page), wanted);
}

export async function selected(page: Page): Promise<(string | null)[]> {
  return grid(page)
    .getByRole("row", { selected: true })
    .evaluateAll((rows) => rows.map((one) => one.getAttribute("aria-label")));
}
