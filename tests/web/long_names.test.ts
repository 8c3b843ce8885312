import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { isCalm } from "./eventually.ts";
import { PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";
import { DIALOGS, fillAll, OPEN, PAGES, sayingIn, visited } from "./tour.ts";

const scene = new Scene('share_roots = ["FOLDER/srv"]\n');
const WIDTH = 320;
const NAME_BYTES = 255;
const ACCOUNT_CHARACTERS = 64;

/** The name with as many letters before it as a name may have, and nowhere to break it. */
function lengthened(name: string): string {
  return "m".repeat(NAME_BYTES - new TextEncoder().encode(name).length) + name;
}

/** What is pressed or typed into, and stands out at the side or cannot be hit; also the part itself, if it scrolls to the side. */
function outOfReach(page: Page, part: string): Promise<string[]> {
  return page.evaluate(
    ({ part, width }) => {
      const root = [...document.querySelectorAll<HTMLElement>(part)].at(-1);
      if (!root) throw new Error(`there is no ${part}`);
      const all = root.querySelectorAll<HTMLElement>(
        "a[href], button, input, select, textarea, summary, [role=menuitem], [role=menuitemradio], [role=option]",
      );
      // A choice is pressed by its label.
      const pressed = [...all].map((one) => one.closest("label") ?? one);
      // What only readers of the screen find is tiny; tabs that scroll to the side are meant to.
      const seen = pressed.filter(
        (one) =>
          one.checkVisibility({ visibilityProperty: true }) &&
          one.getBoundingClientRect().width > 2 &&
          getComputedStyle(one.closest("nav") ?? root).overflowX !== "auto",
      );
      const beside = seen.filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < 0 || right > width;
      });
      const covered = seen.filter((one) => {
        one.scrollIntoView({ block: "nearest" });
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return !hit || !(one.contains(hit) || hit.contains(one));
      });
      const wide = [root, ...root.querySelectorAll<HTMLElement>("[role=dialog], [role=alertdialog]")].filter(
        (one) => one.scrollWidth > one.clientWidth,
      );
      return [...new Set([...beside, ...covered, ...wide])].map(
        (one) => one.getAttribute("aria-label") || one.textContent?.slice(0, 40) || one.outerHTML.slice(0, 80),
      );
    },
    { part, width: WIDTH },
  );
}

for (const language of ["en", "ar"]) {
  test(`8: every button is in reach at ${WIDTH} px with the longest names: ${language}`, async () => {
    const account = `${language}-`.padEnd(ACCOUNT_CHARACTERS, "m");
    const other = `${language}-`.padEnd(ACCOUNT_CHARACTERS, "n");
    for (const options of [[account, "--role", "admin", "--quota", "2MiB"], [other]]) {
      scene.program.command(["account", "add", ...options, "--password-stdin"], `${PASSWORD}\n`);
    }
    const { client, token } = await fillAll(scene.program, account, lengthened);
    const linkTo = async (link: object) => {
      const answer = await client.call("POST", "/api/v2/links", JSON.stringify(link));
      return `/s/${((await answer.json()) as { token: string }).token}`;
    };
    const addresses = [
      ...PAGES.map((path) => visited(path, token)),
      `/files/${lengthened("album")}`,
      await linkTo({ path: lengthened("a.txt") }),
      await linkTo({ path: lengthened("album"), mode: "upload" }),
    ];
    const visit = await scene.visit({ width: WIDTH, height: 640, touch: true, language });
    const { page, program } = visit;
    await visit.beginSession(account);
    page.on("dialog", (question) => void question.accept());
    const found: Record<string, string[]> = {};
    const look = async (name: string, part: string) => {
      const names = await outOfReach(page, part);
      if (names.length > 0) found[name] = names;
    };
    for (const [name, open] of Object.entries(DIALOGS)) {
      if (name === "files/ColumnsMenu") continue;
      await open({ page, client, program, account, other, say: sayingIn(language), named: lengthened });
      await page.locator(OPEN).last().waitFor();
      await look(name, OPEN);
    }
    for (const address of addresses) {
      await page.goto(address);
      await page.locator("h1").first().waitFor({ state: "attached" });
      await isCalm(page);
      await look(address.slice(0, 40), "body");
    }
    assert.deepEqual(found, {});
  });
}
