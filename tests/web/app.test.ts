import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./axe.ts";
import { row } from "./list.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const url = (path: string) => scene.program.url + path;

test("24: the manifest says all that a browser wants of an app that is installed", async () => {
  const document = await (await fetch(url("/files/"))).text();
  assert.match(document, /<link rel="manifest" href="\/manifest\.webmanifest">/);
  const answer = await fetch(url("/manifest.webmanifest"));
  assert.equal(answer.headers.get("Content-Type"), "application/manifest+json");
  assert.match(answer.headers.get("Content-Security-Policy") ?? "", /manifest-src 'self'/);
  const manifest = (await answer.json()) as {
    name: string;
    start_url: string;
    display: string;
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
    share_target: { action: string; method: string; enctype: string };
  };
  assert.deepEqual([manifest.name, manifest.start_url, manifest.display], ["Coffer", "files/", "standalone"]);
  assert.deepEqual(
    manifest.icons.map(({ sizes, purpose = "any" }) => `${sizes} ${purpose}`),
    ["192x192 any", "512x512 any", "512x512 maskable"],
  );
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await fetch(url(`/${src}`));
    assert.equal(icon.headers.get("Content-Type"), type);
    const bytes = Buffer.from(await icon.arrayBuffer());
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
  }
  assert.deepEqual(manifest.share_target.action, "share");
  const worker = await fetch(url("/service-worker.js"));
  assert.equal(worker.headers.get("Cache-Control"), "no-cache");
  assert.match(worker.headers.get("Content-Type") ?? "", /^text\/javascript/);
});

/** Signed in, on a page that the service worker stands behind. */
async function visitWithWorker(language?: string) {
  const account = scene.program.addAccount();
  const client = scene.program.client(account);
  await client.makeFolder("album");
  const visit = await scene.visit({ worker: true, ...(language !== undefined && { language }) });
  await visit.openAs(account, "/files/");
  await visit.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return { account, client, visit, page: visit.page };
}

/** Another app shares with this one: a browser sends such a form. */
async function share(page: Page, fields: Record<string, string>, files: Record<string, string>): Promise<void> {
  await page.evaluate(
    ([texts, contents]) => {
      const form = document.createElement("form");
      form.method = "post";
      form.action = "/share";
      form.enctype = "multipart/form-data";
      for (const [name, value] of Object.entries(texts)) {
        const field = document.createElement("input");
        field.name = name;
        field.value = value;
        form.append(field);
      }
      const input = document.createElement("input");
      input.type = "file";
      input.name = "files";
      input.multiple = true;
      const data = new DataTransfer();
      for (const [name, text] of Object.entries(contents)) data.items.add(new File([text], name));
      input.files = data.files;
      form.append(input);
      document.body.append(form);
      form.submit();
    },
    [fields, files] as const,
  );
  await page.waitForURL("**/share");
}

test("24: what a phone shares is uploaded to the folder that is chosen, also after signing in", async () => {
  const { account, client, visit, page } = await visitWithWorker();
  await visit.context.clearCookies();
  await share(page, {}, { "photo <1>.jpg": "a picture", "日本.txt": "text" }).catch(() => {});
  await page.waitForURL("**/sign-in?**");
  await visit.signIn(account, "/share");
  await page.getByRole("heading", { name: "Upload what was shared" }).waitFor();
  await page.getByText("photo <1>.jpg").waitFor();
  // This is a page of a browser, and not the window of the app that phones share into.
  await page.getByText("A web page handed these over.").waitFor();
  await assertAccessible(page, "share");
  await page.getByRole("row", { name: "album" }).click();
  await page.getByRole("button", { name: "Upload here" }).click();
  await page.waitForURL("**/files/album");
  await row(page, "photo <1>.jpg").waitFor();
  await row(page, "日本.txt").waitFor();
  assert.equal(await client.text("album/photo <1>.jpg"), "a picture");
  await page.goto("/share");
  await page.getByText("Nothing was shared").waitFor();
});

test("24: what a page of another site sends is dropped, and what was shared before stays", async () => {
  const { page } = await visitWithWorker();
  await share(page, {}, { "mine.txt": "mine" });
  await page.getByText("mine.txt").waitFor();
  await page.context().route("http://elsewhere.test/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<form method="post" enctype="multipart/form-data" action="${scene.program.url}/share">
        <input name="title" value="theirs"><input name="text" value="theirs"><button>Send</button></form>`,
    }),
  );
  await page.goto("http://elsewhere.test/");
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForURL("**/share");
  await page.getByText("mine.txt").waitFor();
  assert.equal(await page.getByText("theirs.txt").count(), 0);
});

test("24: what is shared is bounded, and the last takes the place of what was before", async () => {
  const { page } = await visitWithWorker();
  await share(page, {}, { "before.txt": "before" });
  await page.getByText("before.txt").waitFor();
  const many = Object.fromEntries(Array.from({ length: 105 }, (_, number) => [`${number}.txt`, "content"]));
  await share(page, {}, many);
  await page.getByText("99.txt", { exact: true }).waitFor();
  assert.equal(await page.getByText(/^\d+\.txt$/).count(), 100);
  assert.equal(await page.getByText("before.txt").count(), 0);
  await page.getByRole("button", { name: "Discard" }).click();
  await page.waitForURL("**/files/");
});

test("24: a text is shared as a file, and what is discarded is gone", async () => {
  const { client, page } = await visitWithWorker();
  await share(page, { title: "A/B", text: "look at this", url: "https://example.org/" }, {});
  await page.getByText("A B.txt").waitFor();
  await page.getByRole("button", { name: "Upload here" }).press("Enter");
  await row(page, "A B.txt").waitFor();
  assert.equal(await client.text("A B.txt"), "look at this\nhttps://example.org/");
  await share(page, { title: "other", text: "no" }, {});
  await page.getByRole("button", { name: "Discard" }).click();
  await page.waitForURL("**/files/");
  assert.deepEqual(await client.names(), ["album", "A B.txt"]);
});

test("24: the worker keeps nothing of the interface but the page for when the server is away", async () => {
  const { page } = await visitWithWorker();
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map((request) => new URL(request.url).pathname);
  });
  assert.ok(kept.includes("/offline.html") && kept.length <= 5, kept.join());
  assert.ok(!kept.some((path) => path === "/" || path.startsWith("/files") || path.startsWith("/api")), kept.join());
});

test("22: a page that is opened while the server is away says so, and comes when it is back", async () => {
  for (const [language, title] of [
    ["en", "The server cannot be reached"],
    ["ar", "لا يمكن الوصول إلى الخادم"],
  ] as const) {
    const { page } = await visitWithWorker(language);
    await scene.program.stop("SIGKILL");
    await page.goto("/files/album");
    await page.getByRole("heading", { name: title }).waitFor();
    await assertAccessible(page, "offline page");
    await scene.program.start();
    await page.getByRole("navigation").getByRole("link", { name: "album" }).waitFor();
  }
});
