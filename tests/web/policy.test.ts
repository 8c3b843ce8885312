import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { isCalm } from "./eventually.ts";
import { Scene } from "./scene.ts";
import { PAGES } from "./tour.ts";

const scene = new Scene();
const FIRST_LOAD_BYTES = 200 * 1024;

test("12: the server shows the document at every address that is neither an API's nor a part's", async () => {
  const shown = PAGES.filter((path) => !path.startsWith("/api/"));
  for (const path of [...shown, "/", "/settings", "/no/such/page"]) {
    const answer = await fetch(scene.program.url + path.replaceAll(/\$\w*/g, "x"));
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get("Content-Type") ?? "", /^text\/html/, path);
  }
  for (const path of ["/assets/", "/assets/nothing.js", "/api/nothing", "/api/v2/nothing", "/health/nothing"]) {
    const answer = await fetch(scene.program.url + path, { redirect: "manual" });
    assert.equal(answer.status, 404, path);
  }
  assert.equal((await fetch(`${scene.program.url}/health/live`)).headers.get("Content-Security-Policy"), null);
  assert.equal((await fetch(`${scene.program.url}/links`, { method: "POST" })).status, 404);
});

test("12: an address without a page says so", async () => {
  const { page } = await scene.visit();
  await page.goto("/no/such/page");
  await page.getByRole("heading", { name: "There is no such page", level: 2 }).waitFor();
});

test("12: a mistyped address of the API is a page for people, and stays JSON for programs", async () => {
  const { page } = await scene.visit();
  for (const path of ["/api/v2/doc", "/api/nothing", "/metric/s", "/api/v2/files?path=none"]) {
    const answer = await page.goto(path);
    await page.getByRole("heading", { name: "There is no such page", level: 2 }).waitFor();
    assert.equal(answer?.status(), path.startsWith("/api/v2/files") ? 401 : path === "/metric/s" ? 200 : 404, path);
    if (path === "/metric/s") continue;
    const read = await page.evaluate(async (address) => {
      const told = await fetch(address);
      return { status: told.status, type: told.headers.get("Content-Type") };
    }, path);
    assert.match(read.type ?? "", /json/, path);
  }
});

/** fetch unpacks by itself: the bytes as they came. */
async function raw(path: string, coding: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const { get } = await import("node:http");
  return new Promise((settle, fail) => {
    get(scene.program.url + path, { headers: { "Accept-Encoding": coding } }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () =>
        settle({ headers: new Headers(answer.headers as Record<string, string>), bytes: Buffer.concat(pieces) }),
      );
    }).on("error", fail);
  });
}

test("10: parts are kept for good, the document is asked for anew, both packed as the client likes", async () => {
  const document = await raw("/", "identity");
  assert.equal(document.headers.get("Cache-Control"), "no-cache");
  const script = /\/assets\/[^"]+\.js/.exec(document.bytes.toString())?.[0] ?? "";
  const plain = await raw(script, "identity");
  assert.equal(plain.headers.get("Cache-Control"), "public, max-age=31536000, immutable");
  for (const [coding, unpack] of [
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const packed = await raw(script, coding);
    assert.equal(packed.headers.get("Content-Encoding"), coding);
    assert.equal(packed.headers.get("Vary"), "Accept-Encoding");
    assert.equal(packed.headers.get("ETag"), plain.headers.get("ETag"));
    assert.deepEqual(unpack(packed.bytes), plain.bytes);
  }
  const again = await fetch(`${scene.program.url}/`, {
    headers: { "If-None-Match": document.headers.get("ETag") ?? "" },
  });
  assert.equal(again.status, 304);
  const head = await fetch(scene.program.url + script, { method: "HEAD", headers: { "Accept-Encoding": "identity" } });
  assert.equal(head.headers.get("Content-Length"), String(plain.bytes.length));
});

test("10: the first load has at most 200 KiB, packed by gzip", async () => {
  const account = scene.program.addAccount();
  await scene.program.client(account).put("a.txt");
  const visit = await scene.visit();
  await visit.beginSession(account);
  const parts = new Set<string>();
  visit.page.on("request", (request) => {
    // What tells of changes comes behind the list.
    const isOfList = !/^\/(api\/|assets\/(LiveUpdates|hub|worker|new-shares|shares)-)/.test(
      new URL(request.url()).pathname,
    );
    if (isOfList) parts.add(request.url());
  });
  await visit.page.goto("/files/");
  await visit.page.getByRole("row", { name: "a.txt" }).waitFor();
  await isCalm(visit.page);
  let total = 0;
  for (const url of parts) total += gzipSync(await (await fetch(url)).arrayBuffer(), { level: 9 }).length;
  assert.ok(parts.size > 3 && total > 50_000, `${parts.size} parts, ${total} bytes`);
  assert.ok(total <= FIRST_LOAD_BYTES, `${total} bytes in ${parts.size} parts`);
  console.log(`first load: ${total} bytes in ${parts.size} parts`);
});

test("10: scripts stand back behind the styles, and each part is loaded once", async () => {
  const { page } = await scene.visitAs(async (client) => void (await client.put("a.txt")));
  await page.goto("/files/");
  await page.getByRole("row", { name: "a.txt" }).waitFor();
  const parts = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  );
  const assets = parts.filter((path) => /\.(css|js)$/.test(path));
  assert.deepEqual(assets.toSorted(), [...new Set(assets)].toSorted());
  const scripts = page.locator("head script[type=module]");
  for (const script of await scripts.all()) assert.equal(await script.getAttribute("fetchpriority"), "low");
  assert.ok((await scripts.count()) > 0);
});

test("10: the session is requested once, and the folder as soon as the session is known", async () => {
  const { page } = await scene.visitAs(async (client) => {
    await client.makeFolder("Docs");
    await client.put("Docs/a.txt");
  });
  await page.goto("about:blank");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url().slice(scene.program.url.length)));
  await page.goto("/files/Docs");
  await page.getByRole("row", { name: "a.txt" }).waitFor();
  assert.equal(asked.filter((one) => one === "/api/v2/session").length, 1);
  const place = (start: string) => asked.findIndex((one) => one.startsWith(start));
  assert.ok(place("/api/v2/files?path=Docs&") > 0, asked.join("\n"));
  assert.ok(place("/api/v2/files?path=Docs&") < place("/api/v2/tasks"), asked.join("\n"));
});
