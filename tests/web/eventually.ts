import type { Page, Request } from "playwright-core";

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

const requests = new WeakMap<Page, { begun: number; underWay: Set<Request> }>();

/** What runs beside the page loads for itself, and its end is not told. */
const isBeside = (request: Request) =>
  /^\/(api\/v2\/events|assets\/(hub|worker)-)/.test(new URL(request.url()).pathname);

/** Knows what a page loads, for `isCalm`. */
export function watchRequests(page: Page): void {
  const known = { begun: 0, underWay: new Set<Request>() };
  requests.set(page, known);
  page.on("request", (request) => {
    if (isBeside(request)) return;
    known.begun += 1;
    known.underWay.add(request);
  });
  page.on("requestfinished", (request) => known.underWay.delete(request));
  page.on("requestfailed", (request) => known.underWay.delete(request));
}

/** Waits until a page loads nothing, says nowhere that it is loading, and begins nothing more when it has time. */
export async function isCalm(page: Page): Promise<void> {
  const known = requests.get(page);
  if (!known) throw new Error("what the page loads is not watched");
  await eventually(async () => {
    const begun = known.begun;
    const isQuiet = await page.evaluate(async () => {
      const isAtRest = () =>
        document.querySelector("[role=status][aria-label]") === null &&
        [...document.images].every((image) => image.src === "" || image.complete);
      const wasAtRest = isAtRest();
      for (let turn = 0; turn < 3; turn += 1) {
        await new Promise((settle) => requestAnimationFrame(settle));
        // On a full machine it may have no time at all; then three turns must not outlast what a page asks for regularly.
        await new Promise((settle) => requestIdleCallback(settle, { timeout: 200 }));
      }
      return wasAtRest && isAtRest();
    });
    return isQuiet && known.underWay.size === 0 && known.begun === begun;
  }, "the page is calm");
}
