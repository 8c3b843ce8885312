// What axe says of a page. It is brought in by the browser's own tools, which the page's policy does not concern.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import type { Visit } from "./browser.ts";

const SCRIPT = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** To be called before a page is opened. */
export async function prepareAxe(visit: Visit): Promise<void> {
  await visit.context.addInitScript({ path: SCRIPT });
}

/** Nothing on the page keeps anybody from using it, as far as axe can tell. */
export async function assertAccessible(page: Page): Promise<void> {
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: () => Promise<AxeResults> } };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join("\n    ")}`);
  });
  assert.deepEqual(found, [], page.url());
}
