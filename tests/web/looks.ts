// Every page is looked at by axe, and a picture of it is kept, in these looks.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { assertAccessible, assertReadable, inDark } from "./axe.ts";
import type { Look } from "./browser.ts";
import { IS_WHOLE } from "./tier.ts";

const PICTURES = process.env.COFFER_SCREENSHOTS ?? resolve(import.meta.dirname, "../../build/screenshots");

const README_PICTURES = resolve(import.meta.dirname, "../../docs/pictures");

/** One of the README's, where that is asked for by COFFER_README_PICTURES=1: else each run would change them. */
export async function readmePicture(page: Page, name: string): Promise<void> {
  if (process.env.COFFER_README_PICTURES !== "1") return;
  mkdirSync(README_PICTURES, { recursive: true });
  await page.screenshot({ path: join(README_PICTURES, `${name}.png`) });
}

export type NamedLook = Look & { name: string };

const ALL_LOOKS: readonly NamedLook[] = [
  { name: "wide", width: 1440, height: 900 },
  { name: "narrow", width: 360, height: 740, touch: true },
  { name: "rtl", width: 1440, height: 900, language: "ar" },
];

/**
 * Each has the dark theme after the light one, and the wide one a middle width after its own. The daily set has the wide one
 * alone, in light.
 */
export const LOOKS = IS_WHOLE ? ALL_LOOKS : ALL_LOOKS.slice(0, 1);

const MIDDLE = { width: 768, height: 1024 };

/** A picture of what is shown now; it is named by what is shown, the look, the theme and the width. */
async function picture(page: Page, name: string, { language }: NamedLook, theme: "light" | "dark"): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const parts = [name.replaceAll(/[^\w-]+/g, "-"), ...(language ? [language] : []), theme, page.viewportSize()?.width];
  await page.screenshot({ path: join(PICTURES, `${parts.join("-")}.png`) });
}

/** Nothing on the page is hard to reach, to see or to hear, and nothing stands out beyond its edge. */
async function isAccessible(page: Page, what: string): Promise<void> {
  await assertAccessible(page, what);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `${what}: ${overflow} pixels stand out at the side`);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("[role=toolbar] button")]
      .filter((it) => it.getBoundingClientRect().left < 0 || it.getBoundingClientRect().right > window.innerWidth)
      .map((it) => it.textContent || it.getAttribute("aria-label")),
  );
  assert.deepEqual(cut, [], `${what}: buttons stand out`);
}

/** What is shown, at each width of the look: first all in light, then all in dark, which ends at the look's own. */
async function atEachWidth(
  page: Page,
  look: NamedLook,
  see: (theme: "light" | "dark") => Promise<void>,
): Promise<void> {
  const own = { width: look.width ?? 1440, height: look.height ?? 900 };
  const hasMiddle = look.name === "wide";
  await see("light");
  if (!IS_WHOLE) return;
  if (hasMiddle) {
    await page.setViewportSize(MIDDLE);
    await see("light");
  }
  await inDark(page, async () => {
    if (hasMiddle) {
      await see("dark");
      await page.setViewportSize(own);
    }
    await see("dark");
  });
}

/** Pictures are taken of a page that is as it is to be looked at, and axe looks at it, in dark at the colours alone. */
export async function looksRight(page: Page, name: string, look: NamedLook): Promise<void> {
  await atEachWidth(page, look, async (theme) => {
    const what = `${name} in ${look.name}, ${theme}`;
    if (theme === "light") await isAccessible(page, what);
    else await assertReadable(page, what);
    if (IS_WHOLE) await picture(page, name, look, theme);
  });
}

/** The same of a dialog. Where it covers a small page, axe misses the page behind it, which is hidden rightly. */
export async function dialogLooksRight(page: Page, name: string, look: NamedLook): Promise<void> {
  if (look.touch) await atEachWidth(page, look, (theme) => picture(page, name, look, theme));
  else await looksRight(page, name, look);
}
