import type { Page } from "playwright-core";

const PATIENCE_MS = 120_000;

/** Waits until the condition holds, and throws what it threw last; the limit only ends a test that has failed anyway. */
export async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    let failure: unknown = new Error(`never happened: ${what}`);
    try {
      if (await condition()) return;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > end) throw failure;
    await new Promise((settle) => setTimeout(settle, 20));
  }
}

const CALM_MS = 500;

/**
 * Waits until a page has loaded nothing for a while, and says nowhere that it is loading. The browser's own word for that
 * never comes, since what runs beside the page loads for itself.
 */
export async function isCalm(page: Page): Promise<void> {
  let last = "";
  await eventually(async () => {
    const before = last;
    last = await page.evaluate(() => {
      const isWaiting = document.querySelector("[role=status][aria-label]") !== null;
      const isDrawing = [...document.images].some((image) => image.src !== "" && !image.complete);
      const loaded = performance.getEntriesByType("resource").length;
      return JSON.stringify([isWaiting || isDrawing, loaded, document.body.textContent?.length]);
    });
    await page.waitForTimeout(CALM_MS);
    return last === before && last.startsWith("[false");
  }, "the page is calm");
}
