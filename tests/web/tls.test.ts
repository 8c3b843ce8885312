import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { becomes, row } from "./list.ts";
import { png } from "./made.ts";
import { Scene } from "./scene.ts";

const scene = new Scene(
  ['tls_listen = "127.0.0.1:0"', 'tls_certificate = "FOLDER/tls.crt"', 'tls_key = "FOLDER/tls.key"'].join("\n"),
);
const REQUEST = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost";
execFileSync("openssl", [...REQUEST.split(" "), "-keyout", "tls.key", "-out", "tls.crt"], {
  cwd: scene.program.folder,
  stdio: "ignore",
});

const [WINDOWS, PICTURES] = [7, 200];

/** How many pictures of thumbnails have come. */
const pictures = (page: Page) =>
  page.getByRole("grid", { name: "Files" }).evaluate((list) => {
    const all = [...list.querySelectorAll("img")];
    return all.filter((one) => one.complete && one.naturalWidth > 0).length;
  });

test("14: by HTTP/2 seven windows with 200 pictures each load, and each is told of a change", async () => {
  const account = scene.program.addAccount();
  const target = join(scene.program.folder, "pictures");
  mkdirSync(target, { mode: 0o777 });
  for (let number = 1; number <= PICTURES; number += 1) writeFileSync(join(target, `${number}.png`), png(30, 20));
  scene.program.command(["share", "add", "--name", "Pictures", "--target", target, "--account", account]);
  // All are in view at once.
  const visit = await scene.visit({ tls: true, height: 12_000 });
  const { page } = visit;
  await visit.openAs(account);
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Pictures" }).click();
  await page.getByRole("button", { name: "Grid view" }).click();
  const pages = [page];
  while (pages.length < WINDOWS) pages.push(await visit.context.newPage());
  for (const other of pages.slice(1)) await other.goto(page.url());
  for (const one of pages) await becomes(() => pictures(one), PICTURES);
  const version = await page.evaluate(() =>
    performance.getEntriesByType("navigation").map((one) => Reflect.get(one, "nextHopProtocol")),
  );
  assert.deepEqual(version, ["h2"]);
  writeFileSync(join(target, "new.txt"), "");
  for (const one of pages) await row(one, "new.txt").waitFor();
});
