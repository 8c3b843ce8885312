// Every page is looked at by axe, and a picture of it is kept, in these looks.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { assertAccessible, assertReadable } from "./axe.ts";
import type { Look } from "./browser.ts";

const PICTURES = process.env.COFFER_SCREENSHOTS ?? resolve(import.meta.dirname, "../../build/screenshots");

const README_PICTURES = resolve(import.meta.dirname, "../../docs/pictures");

/** One of the README's, where that is asked for by COFFER_README_PICTURES=1: else each run would change them. */
export async function readmePicture(page: Page, name: string): Promise<void> {
  if (process.env.COFFER_README_PICTURES !== "1") return;
  mkdirSync(README_PICTURES, { recursive: true });
  await page.screenshot({ path: join(README_PICTURES, `${name}.png`) });
}

export type NamedLook = Look & { name: string };

export const LOOKS: readonly NamedLook[] = [
  { name: "light-1440", theme: "light", width: 1440, height: 900 },
  { name: "dark-1440", theme: "dark", width: 1440, height: 900 },
  { name: "light-768", theme: "light", width: 768, height: 1024 },
  { name: "dark-768", theme: "dark", width: 768, height: 1024 },
  { name: "light-360", theme: "light", width: 360, height: 740, touch: true },
  { name: "dark-360", theme: "dark", width: 360, height: 740, touch: true },
  { name: "rtl-1440", theme: "light", width: 1440, height: 900, language: "ar" },
];

/** Those that axe goes through with every page and dialog; each has the dark theme after the light one. */
export const LOOKS_OF_AXE = LOOKS.filter(({ width, theme }) => width !== 768 && theme === "light");

export async function picture(page: Page, name: string, look: NamedLook): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}-${look.name}.png`) });
}

/** Of a page, by its address, in one of the three widths, or in two; its name says in which theme it is now. */
export async function pictures(page: Page, address: string, look: NamedLook): Promise<void> {
  const { theme = "light", width = 1440, height = 900, language } = look;
  const name = `page${address.replaceAll(/[^\w-]+/g, "-")}`;
  const take = (at: number) =>
    page.screenshot({ path: join(PICTURES, `${name}-${language ? `${language}-` : ""}${theme}-${at}.png`) });
  mkdirSync(PICTURES, { recursive: true });
  await take(width);
  if (width !== 1440 || language) return;
  await page.setViewportSize({ width: 768, height: 1024 });
  await take(768);
  await page.setViewportSize({ width, height });
}

/** Nothing on the page is hard to reach, to see or to hear, and nothing stands out beyond its edge. */
export async function isAccessible(page: Page, what: string): Promise<void> {
  await assertAccessible(page, what);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `${what}: ${overflow} pixels stand out at the side`);
}

/** Both, for a page that is as it is to be looked at. In dark it is as in light, but for its colours. */
export async function looksRight(page: Page, name: string, look: NamedLook): Promise<void> {
  await picture(page, name, look);
  if (look.theme === "dark") await assertReadable(page, `${name} in ${look.name}`);
  else await isAccessible(page, `${name} in ${look.name}`);
}

/** The same of a dialog. Where it covers a small page, axe misses the page behind it, which is hidden rightly. */
export async function dialogLooksRight(page: Page, name: string, look: NamedLook): Promise<void> {
  if (look.touch) await picture(page, name, look);
  else await looksRight(page, name, look);
}
