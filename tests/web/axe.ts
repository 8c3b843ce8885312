// What axe says of a page. It is evaluated by the browser's own tools, which the page's policy does not concern.
import assert from "node:assert/strict";
import AxeSource from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds wrong with what is shown, or with a part of it, each by its rule and the element. */
export async function axeFindings(page: Page, selector = "html"): Promise<string[]> {
  await page.evaluate(AxeSource.source);
  return page.evaluate(async (part) => {
    const { axe } = window as unknown as { axe: typeof AxeSource };
    const { violations } = await axe.run(part === "html" ? document : part, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`),
    );
  }, selector);
}

/** Nothing on the page keeps anybody from using it, as far as axe can tell. */
export async function assertAccessible(page: Page, what: string = page.url(), selector?: string): Promise<void> {
  assert.deepEqual(await axeFindings(page, selector), [], what);
}
