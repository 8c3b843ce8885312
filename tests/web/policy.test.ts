import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { Scene } from "./scene.ts";

const scene = new Scene();
const SOURCES = resolve(import.meta.dirname, "../../web/src");
const FIRST_LOAD_BYTES = 200 * 1024;

test("12: the server shows the document at every address of the route table", async () => {
  const names = readdirSync(SOURCES).filter((name) => /^routes[\w-]*\.tsx$/.test(name));
  const text = names.map((name) => readFileSync(resolve(SOURCES, name), "utf8")).join("");
  const paths = [...text.matchAll(/\bpath: "(\/[^"]*)"/g)].map(([, path = ""]) => path);
  assert.ok(
    ["/sign-in", "/files", "/admin/audit", "/settings/account", "/s/$token"].every((path) => paths.includes(path)),
    paths.join(),
  );
  for (const path of paths) {
    const answer = await fetch(scene.program.url + path.replaceAll(/\$\w*/g, "x"));
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get("Content-Type") ?? "", /^text\/html/, path);
  }
});

test("12: what is no page and no part of one is not there", async () => {
  for (const path of [
    "/assets/",
    "/assets/nothing.js",
    "/index.html",
    "/manifest.json",
    "/api/nothing",
    "/sign-in/x",
  ]) {
    const answer = await fetch(scene.program.url + path, { redirect: "manual" });
    assert.equal(answer.status, 404, path);
  }
  assert.equal((await fetch(`${scene.program.url}/health/live`)).headers.get("Content-Security-Policy"), null);
  assert.equal((await fetch(`${scene.program.url}/`, { method: "POST" })).status, 405);
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
  const parts = new Map<string, Promise<Buffer>>();
  visit.page.on("response", (answer) => {
    const isOfPage = ["document", "script", "stylesheet", "image", "font"].includes(answer.request().resourceType());
    if (isOfPage) parts.set(answer.url(), answer.body());
  });
  await visit.page.goto("/files/");
  await visit.page.getByRole("row", { name: "a.txt" }).waitFor();
  await visit.page.waitForLoadState("networkidle");
  let total = 0;
  for (const body of parts.values()) total += gzipSync(await body, { level: 9 }).length;
  assert.ok(parts.size > 3 && total > 50_000, `${parts.size} parts, ${total} bytes`);
  assert.ok(total <= FIRST_LOAD_BYTES, `${total} bytes in ${parts.size} parts`);
  console.log(`first load: ${total} bytes in ${parts.size} parts`);
});

test("10: scripts stand back behind the styles, and what the document asks for early is loaded once", async () => {
  const { page } = await scene.visitAs(async (client) => void (await client.put("a.txt")));
  await page.goto("/files/");
  await page.getByRole("row", { name: "a.txt" }).waitFor();
  const parts = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  );
  const assets = parts.filter((path) => /\.(css|js)$/.test(path));
  assert.deepEqual(assets.toSorted(), [...new Set(assets)].toSorted());
  for (const part of [/controls-.*\.css$/, /files-.*\.css$/, /files-.*\.js$/])
    assert.equal(assets.filter((path) => part.test(path)).length, 1, `${part} of ${assets}`);
  const scripts = page.locator("head script[type=module]");
  for (const script of await scripts.all()) assert.equal(await script.getAttribute("fetchpriority"), "low");
  assert.ok((await scripts.count()) > 0);
});

test("10: who is signed in is asked once, with the document, and the folder as soon as that is known", async () => {
  const { page } = await scene.visitAs(async (client) => {
    await client.makeFolder("Docs");
    await client.put("Docs/a.txt");
  });
  await page.goto("about:blank");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url().slice(scene.program.url.length)));
  await page.goto("/files/Docs");
  await page.getByRole("row", { name: "a.txt" }).waitFor();
  const sessions = await page.evaluate(() =>
    performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/api/v2/session")),
  );
  const initiators = sessions.map((entry) => (entry as PerformanceResourceTiming).initiatorType);
  assert.deepEqual(initiators, ["link"]);
  const place = (start: string) => asked.findIndex((one) => one.startsWith(start));
  assert.ok(place("/api/v2/files?path=Docs&") > 0, asked.join("\n"));
  assert.ok(place("/api/v2/files?path=Docs&") < place("/api/v2/tasks"), asked.join("\n"));
});
