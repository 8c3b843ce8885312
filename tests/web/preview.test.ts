import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { assertAccessible, assertAccessibleInBoth } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { becomes, row, selected } from "./list.ts";
import { LOOKS } from "./looks.ts";
import { pdf, png, wav } from "./made.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

const preview = (page: Page, name: string) => page.getByRole("dialog", { name: `Preview of ${name}` });
const address = (name: string) => `/files/?preview=${encodeURIComponent(name)}`;

/** Whatever ran in the page's origin would have set it, at whichever window it was. */
const BOMB = "window.hacked=1;parent.hacked=1;top.hacked=1";
const hacked = (page: Page) => page.evaluate(() => "hacked" in window);

async function prepare(it: Client): Promise<void> {
  await it.makeFolder("album");
  await it.put("a.png", png(320, 200));
  await it.put("b.txt", "text of b");
  await it.put("c.md", "# Title of c\n\n[to b](b.txt)");
  await it.put("d.zip", "no archive");
}

test("15: files are looked at one after the other, by keys, and the address says which", async () => {
  const { page } = await scene.visitAs(prepare);
  await row(page, "a.png").click();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/files/?preview=a.png");
  await preview(page, "a.png").getByText("1 of 4").waitFor();
  const image = preview(page, "a.png").getByRole("img", { name: "a.png" });
  await becomes(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth), 320);
  await page.keyboard.press("ArrowRight");
  await preview(page, "b.txt").getByText("text of b").waitFor();
  await page.reload();
  await preview(page, "b.txt").getByText("text of b").waitFor();
  await page.keyboard.press("ArrowRight");
  await preview(page, "c.md").getByRole("heading", { name: "Title of c" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await preview(page, "d.zip").getByText("There is no preview of this file.").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await preview(page, "c.md").waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => url.pathname === "/files/" && !url.searchParams.has("preview"));
  await becomes(() => selected(page), ["c.md"]);
  await page.goBack();
  await preview(page, "c.md").waitFor();
});

test("15: files are looked at by mouse, and a link of a document leads to the file beside it", async () => {
  const { page } = await scene.visitAs(prepare);
  await row(page, "b.txt").dblclick();
  await preview(page, "b.txt").getByRole("button", { name: "Next" }).click();
  await preview(page, "c.md").getByRole("link", { name: "to b" }).click();
  await preview(page, "b.txt").getByRole("button", { name: "Previous" }).click();
  await preview(page, "a.png").getByRole("button", { name: "Actual size" }).click();
  assert.equal(await preview(page, "a.png").getByRole("button", { name: "Previous" }).isDisabled(), true);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    preview(page, "a.png").getByRole("button", { name: "Download" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "a.png");
  await preview(page, "a.png").getByRole("button", { name: "Close" }).click();
  await row(page, "a.png").waitFor();
});

test("15: pictures that the browser does not know are shown small, and others say that they cannot", async () => {
  const { page } = await scene.visitAs(async (it) => {
    await it.put("broken.jpg", "no picture at all");
    await it.put("broken.mp4", "no film at all");
    await it.put("broken.pdf", "no document at all");
    await it.put("noise.log", new Uint8Array([1, 2, 0, 3]));
  });
  for (const name of ["broken.jpg", "broken.mp4", "broken.pdf", "noise.log"]) {
    await page.goto(address(name));
    await preview(page, name).getByRole("heading", { name: "There is no preview of this file." }).waitFor();
  }
  await page.goto(address("gone.txt"));
  await preview(page, "gone.txt").getByText("It is not there any more.").waitFor();
});

test("15: texts of older programs are read as their owner's language has them, or as one chooses", async () => {
  const russian = new Uint8Array([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
  const { page } = await scene.visitAs(
    async (it) => {
      await it.put("old.txt", russian);
      await it.put("wide.txt", Uint8Array.from(Buffer.from("\ufeffGröße", "utf16le")));
      await it.put("plain.txt", "Größe");
    },
    { language: "ru-RU" },
  );
  await page.goto(address("old.txt"));
  await preview(page, "old.txt").getByText("Привет").waitFor();
  const choice = preview(page, "old.txt").getByRole("combobox", { name: "Read as" });
  assert.equal(await choice.inputValue(), "windows-1251");
  await assertAccessible(page, "a text that is guessed");
  await choice.selectOption("koi8-r");
  await preview(page, "old.txt").getByText("оПХБЕР").waitFor();
  for (const name of ["wide.txt", "plain.txt"]) {
    await page.goto(address(name));
    await preview(page, name).getByText("Größe").waitFor();
    assert.equal(await preview(page, name).getByRole("combobox").count(), 0);
    await preview(page, name).getByRole("button", { name: "Edit" }).waitFor();
  }
});

test("15: a player seeks by ranges", async () => {
  const { page } = await scene.visitAs(async (it) => it.put("long.wav", wav(240)));
  const ranges: string[] = [];
  page.on("request", (request) => {
    const { range } = request.headers();
    if (request.url().includes("long.wav") && range) ranges.push(range);
  });
  await page.goto(address("long.wav"));
  const player = preview(page, "long.wav").locator("audio");
  await becomes(() => player.evaluate((one) => (one as HTMLAudioElement).readyState > 0), true);
  await player.evaluate((one) => {
    (one as HTMLAudioElement).currentTime = 200;
  });
  await becomes(
    () => player.evaluate((one) => !(one as HTMLAudioElement).seeking && (one as HTMLAudioElement).currentTime > 199),
    true,
  );
  assert.ok(ranges.length > 0, "no range was asked for");
});

/** Whether something dark is drawn on the first page. */
function hasInk(dialog: Locator): Promise<boolean> {
  return dialog
    .locator("canvas")
    .first()
    .evaluate((one) => {
      const canvas = one as HTMLCanvasElement;
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
      return pixels?.some((value, at) => at % 4 === 0 && value < 100 && (pixels[at + 3] ?? 0) > 200) ?? false;
    });
}

test("15: the pages of a document are drawn, and their text can be read", async () => {
  const texts = Array.from({ length: 30 }, (_, index) => `Chapter ${index + 1} of it`);
  const { page } = await scene.visitAs(async (it) => it.put("book.pdf", pdf(texts)));
  await page.goto(address("book.pdf"));
  await preview(page, "book.pdf").getByText("Chapter 1 of it").waitFor();
  const pages = preview(page, "book.pdf").getByRole("region", { name: /^Page / });
  assert.equal(await pages.count(), 30);
  assert.ok((await preview(page, "book.pdf").locator("canvas").count()) < 8, "pages out of sight are drawn");
  await becomes(() => hasInk(preview(page, "book.pdf")), true);
  await pages.last().scrollIntoViewIfNeeded();
  await preview(page, "book.pdf").getByText("Chapter 30 of it").waitFor();
});

test("9: a document is drawn in Arabic as it is in English", async () => {
  const drawn: string[] = [];
  for (const language of ["en-US", "ar"]) {
    const { page } = await scene.visitAs(async (it) => it.put("book.pdf", pdf(["Chapter 1 of it"])), { language });
    await page.goto(address("book.pdf"));
    const dialog = page.getByRole("dialog", { name: "book.pdf" });
    await dialog.getByText("Chapter 1 of it").waitFor();
    const picture = () => dialog.locator("canvas").evaluate((one) => (one as HTMLCanvasElement).toDataURL());
    // It is drawn piece by piece.
    let last = "";
    await eventually(async () => {
      const before = last;
      last = await picture();
      return last === before && (await hasInk(dialog));
    }, "it is drawn");
    drawn.push(last);
  }
  assert.equal(drawn[0], drawn[1]);
});

test("15: nothing that is in a file runs in the page", async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90" onload="${BOMB}"><script>${BOMB}</script></svg>`;
  const markdown = [
    `<script>${BOMB}</script>`,
    `<img src=x onerror="${BOMB}">`,
    `[click](javascript:${BOMB})`,
    `[data](data:text/html,<script>${BOMB}</script>)`,
    `![img](javascript:${BOMB})`,
    `<iframe srcdoc="<script>${BOMB}</script>"></iframe>`,
    "![far](https://example.invalid/x.png)",
    "[end](b.txt)",
  ].join("\n\n");
  const files: Record<string, string> = {
    "a.svg": svg,
    "b.html": `<!doctype html><script>${BOMB}</script><body onload="${BOMB}">hello page`,
    "c.md": markdown,
    "d.pdf": pdf(["harmless"], BOMB),
    "<img src=x onerror=top.hacked=1>.txt": "hostile name",
  };
  const { page, visit } = await scene.visitAs(async (it) => {
    for (const [name, content] of Object.entries(files)) await it.put(name, content);
  });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const shown: Record<string, () => Promise<void>> = {
    "a.svg": () =>
      becomes(
        () =>
          preview(page, "a.svg")
            .getByRole("img")
            .evaluate((one) => (one as HTMLImageElement).naturalWidth),
        90,
      ),
    "b.html": () => preview(page, "b.html").getByText("hello page").waitFor(),
    "c.md": () => preview(page, "c.md").getByRole("link", { name: "end" }).waitFor(),
    "d.pdf": () => preview(page, "d.pdf").getByText("harmless").waitFor(),
    "<img src=x onerror=top.hacked=1>.txt": () => page.getByText("hostile name").waitFor(),
  };
  for (const [name, wait] of Object.entries(shown)) {
    await page.goto(address(name));
    await wait();
    assert.equal(await hacked(page), false, name);
  }
  await page.goto(address("c.md"));
  await shown["c.md"]?.();
  const hrefs = await preview(page, "c.md")
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol));
  assert.deepEqual([...new Set(hrefs)].sort(), ["http:", "https:"]);
  assert.deepEqual(
    requests.filter((url) => url.includes("example.invalid")),
    [],
  );
  // Opened by itself, it is of no origin, and runs nothing.
  for (const name of ["a.svg", "b.html"]) {
    await page.goto(`/api/v2/files/content?path=${name}&disposition=inline`);
    assert.equal(await hacked(page), false, name);
  }
  // The browser tells that it held them back, and nothing else is wrong.
  assert.ok(visit.trouble.length > 0, "the files hold nothing that could run");
  for (const trouble of visit.trouble.splice(0)) assert.match(trouble, /^console: Blocked script execution/);
});

test("15: a stored script is no script of the page, and a stored style no style", async () => {
  const { page, visit } = await scene.visitAs(async (it) => {
    for (const name of ["evil.js", "evil.mjs"]) await it.put(name, BOMB);
    await it.put("evil.css", "body { display: none }");
  });
  const at = (name: string) => `/api/v2/files/content?path=${name}&disposition=inline`;
  const came = (address: string) =>
    page.evaluate(
      (url) =>
        import(url).then(
          () => "ran",
          () => "refused",
        ),
      address,
    );
  for (const name of ["evil.js", "evil.mjs"]) assert.equal(await came(at(name)), "refused", name);
  // On the way back the browser takes what it kept, as whatever it was fetched, without asking the server.
  await page.evaluate((url) => fetch(url).then((answer) => answer.text()), at("evil.js"));
  await page.goto("/bin");
  await page.goBack();
  await row(page, "evil.js").waitFor();
  assert.equal(await came(at("evil.js")), "refused");
  assert.equal(await hacked(page), false);
  const style = await page.evaluate(
    (href) =>
      new Promise((settle) => {
        const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
        link.addEventListener("load", () => settle("applied"));
        link.addEventListener("error", () => settle("refused"));
        document.head.append(link);
      }),
    at("evil.css"),
  );
  assert.equal(style, "refused");
  // The browser says so too, which is no trouble here.
  const trouble = visit.trouble.splice(0);
  for (const one of trouble) assert.match(one, /MIME type/);
  assert.ok(trouble.length > 0);
});

test("15: another account does not see it", async () => {
  const { page: own } = await scene.visitAs(async (it) => it.put("secret.txt", "of the first"));
  await own.goto(address("secret.txt"));
  await own.getByText("of the first").waitFor();
  const { page } = await scene.visitAs();
  await page.goto(address("secret.txt"));
  await preview(page, "secret.txt").getByText("It is not there any more.").waitFor();
});

for (const look of LOOKS) {
  test(`15: axe finds nothing in previews: ${look.name}`, async () => {
    const { page } = await scene.visitAs(prepare, look);
    await page.goto(address("a.png"));
    await page.getByRole("img", { name: "a.png" }).waitFor();
    await assertAccessibleInBoth(page);
    await page.goto(address("c.md"));
    await page.getByRole("heading", { name: "Title of c" }).waitFor();
    await assertAccessibleInBoth(page);
    await page.goto(address("b.txt"));
    await page.getByText("text of b").waitFor();
    await assertAccessibleInBoth(page);
  });
}
