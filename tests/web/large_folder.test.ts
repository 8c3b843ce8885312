import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "./eventually.ts";
import { Scene } from "./scene.ts";
import { IS_WHOLE } from "./tier.ts";

/** Several pages of the listing in the daily set. */
const ENTRIES = IS_WHOLE ? 100_000 : 25_000;
const MOST_ROWS = 200;

const scene = new Scene();

test("1: all entries of a large folder are all within reach, and few of them are in the document", async () => {
  const account = scene.program.addAccount();
  const shared = join(scene.program.folder, "shared");
  mkdirSync(shared);
  for (let number = 0; number < ENTRIES; number += 1) writeFileSync(join(shared, `file ${number}.txt`), "");
  scene.program.command(["share", "add", "--name", "Many", "--target", shared, "--read-only", "--account", account]);
  const visit = await scene.visit();
  const { page } = visit;
  await visit.beginSession(account);
  await page.goto("/files/");
  const before = Date.now();
  await page.getByRole("row", { name: "Many" }).dblclick();
  await page.getByRole("row", { name: "file 0.txt", exact: true }).waitFor();
  console.log(`first rows after ${Date.now() - before} ms`);
  const grid = page.getByRole("grid", { name: "Files" });
  const rows = () => grid.getByRole("row").count();
  let most = await rows();
  await eventually(async () => {
    most = Math.max(most, await rows());
    return (await grid.getAttribute("aria-rowcount")) === String(ENTRIES);
  }, "all of it is there");
  console.log(`all of it after ${Date.now() - before} ms`);

  await page.getByRole("row", { name: "file 0.txt", exact: true }).click();
  await page.keyboard.press("End");
  await page.getByRole("row", { name: `file ${ENTRIES - 1}.txt` }).waitFor();
  most = Math.max(most, await rows());
  await page.keyboard.press("Home");
  await page.getByRole("row", { name: "file 0.txt", exact: true }).waitFor();
  await page.keyboard.press("PageDown");
  const frames = await page.evaluateHandle(() => {
    const times: number[] = [];
    let last = performance.now();
    const next = (now: number) => {
      times.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    return times;
  });
  for (let step = 0; step < 30; step += 1) {
    await page.mouse.move(700, 500);
    await page.mouse.wheel(0, 4_000);
    most = Math.max(most, await rows());
  }
  const times = (await frames.jsonValue()).toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  console.log(
    `frames while scrolling: ${times.length}, median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms`,
  );
  await page.getByRole("searchbox", { name: "Search" }).fill("20202");
  await page.getByRole("row", { name: "file 20202.txt" }).waitFor();
  assert.equal(await rows(), 1);
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  await eventually(async () => (await rows()) > 10, "the whole list is back");
  most = Math.max(most, await rows());
  assert.ok(most <= MOST_ROWS, `${most} rows in the document`);
  console.log(`at most ${most} rows in the document`);
});
