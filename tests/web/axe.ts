// What axe says of a page. It is evaluated by the browser's own tools, which the page's policy does not concern.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type Axe from "axe-core";
import type { Page } from "playwright-core";
import { IS_WHOLE } from "./tier.ts";

/** The small edition, which each page has to read. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe finds wrong with what is shown, or with a part of it, each by its rule and the element; by one rule alone. */
export async function axeFindings(page: Page, selector = "html", rule?: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ({ selector, rule }) => {
      const { axe } = window as unknown as { axe: typeof Axe };
      const { violations } = await axe.run(selector === "html" ? document : selector, {
        resultTypes: ["violations"],
        ...(rule !== undefined && { runOnly: [rule] }),
      });
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`),
      );
    },
    { selector, rule },
  );
}

/** Does the work while the system is dark, which has other colours and nothing else of its own. */
export async function inDark(page: Page, work: () => Promise<void>): Promise<void> {
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colour();
  await page.emulateMedia({ colorScheme: "dark" });
  assert.notEqual(await colour(), light, "dark is as light");
  const fades = await page.evaluate(() => document.getAnimations().filter((it) => it instanceof CSSTransition).length);
  assert.equal(fades, 0, "fades where less motion is asked for");
  await work();
  await page.emulateMedia({ colorScheme: "light" });
}

/** The colours alone can be told apart. */
export async function assertReadable(page: Page, what: string, selector?: string): Promise<void> {
  assert.deepEqual(await axeFindings(page, selector, "color-contrast"), [], what);
}

/** Nothing on the page keeps anybody from using it, as far as axe can tell. */
export async function assertAccessible(page: Page, what: string = page.url(), selector?: string): Promise<void> {
  assert.deepEqual(await axeFindings(page, selector), [], what);
}

/** The same in light; in the whole set in dark too. */
export async function assertAccessibleInBoth(page: Page, what?: string, selector?: string): Promise<void> {
  await assertAccessible(page, what, selector);
  if (IS_WHOLE) await inDark(page, () => assertReadable(page, `${what ?? page.url()}, dark`, selector));
}
