import assert from "node:assert/strict";
import { mkdirSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { eventually } from "./eventually.ts";
import { Scene } from "./scene.ts";
import {
  digestOn,
  fileOf,
  filesInput,
  folderInput,
  largeFile,
  MIB,
  offsetsOf,
  openTasks,
  row,
  sentPercent,
  slowDown,
  tasks,
  upload,
} from "./uploading.ts";

const scene = new Scene();

test("8: files are chosen by the button, by mouse and by key, and keep their names and times", async () => {
  const { client, page } = await scene.visitAs();
  const names = ["a%b?c#d&e=f+.txt", "<img src=x onerror=alert(1)>.html", "日本 ä.txt", "'\"{$}.txt", "empty.txt"];
  const paths = names.map((name) => fileOf(scene.program, name, name === "empty.txt" ? "" : name));
  for (const path of paths) utimesSync(path, 1_000_000_000, 1_000_000_000);
  const button = page.getByRole("button", { name: "Upload", exact: true });
  const [byMouse] = await Promise.all([page.waitForEvent("filechooser"), button.click()]);
  await byMouse.setFiles(paths.slice(0, 2));
  for (const name of names.slice(0, 2)) await row(page, name).waitFor();
  const [byKey] = await Promise.all([page.waitForEvent("filechooser"), button.press("Enter")]);
  await byKey.setFiles(paths.slice(2));
  for (const name of names) await row(page, name).waitFor();
  for (const name of names.slice(0, 4)) assert.equal(await client.text(name), name);
  assert.equal(await client.text("empty.txt"), "");
  const listing = (await (await client.call("GET", "/api/v2/files?path=")).json()) as {
    entries: { modifiedAt: string }[];
  };
  assert.deepEqual(new Set(listing.entries.map(({ modifiedAt }) => modifiedAt)), new Set(["2001-09-09T01:46:40"]));
  await page.getByText("3 files are uploaded").waitFor();
  await openTasks(page);
  await upload(page, "empty.txt").getByText("Uploaded").waitFor();
});

test("2: files whose stored answer a balancer lost are neither asked about nor stored twice", async () => {
  const { client, page } = await scene.visitAs();
  const names = ["a.txt", "b.txt", "c.txt"];
  const lost = new Set<string>();
  await page.route("**/api/v2/uploads", async (route) => {
    const named = route.request().headers()["upload-metadata"] ?? "";
    const answer = await route.fetch();
    if (route.request().method() !== "POST" || lost.has(named)) return route.fulfill({ response: answer });
    lost.add(named);
    assert.equal(answer.status(), 201);
    return route.fulfill({ status: 502, contentType: "text/html", body: "<html>Bad Gateway</html>" });
  });
  await filesInput(page).setInputFiles(names.map((name) => fileOf(scene.program, name, name)));
  for (const name of names) await row(page, name).waitFor();
  await page.getByText("3 files are uploaded").waitFor();
  assert.equal(lost.size, 3);
  assert.equal(await page.getByRole("dialog").count(), 0);
  for (const name of names) assert.equal(await client.text(name), name);
  const unfinished = (await (await client.call("GET", "/api/v2/uploads")).json()) as { entries: unknown[] };
  assert.deepEqual(unfinished.entries, []);
});

test("2: an upload survives that the server is killed, and sends nothing twice", async () => {
  const { client, page } = await scene.visitAs();
  const { path, digest } = largeFile(scene.program, "film.bin", 24);
  await openTasks(page);
  await slowDown(page, 6 * MIB);
  await filesInput(page).setInputFiles(path);
  await sentPercent(page, "film.bin", 40);
  await scene.program.stop("SIGKILL");
  await upload(page, "film.bin").getByText("The server cannot be reached.").waitFor();
  const offsets = offsetsOf(page);
  await scene.program.start();
  await row(page, "film.bin").waitFor();
  assert.equal(await digestOn(client, "film.bin"), digest);
  assert.ok(Math.min(...offsets) > 4 * MIB, `it went on at ${offsets}`);
});

test("2: an upload goes on after a reload, when the same file is chosen again", async () => {
  const { client, page } = await scene.visitAs();
  const { path, digest } = largeFile(scene.program, "disk.iso", 24);
  await openTasks(page);
  await slowDown(page, 6 * MIB);
  await filesInput(page).setInputFiles(path);
  await sentPercent(page, "disk.iso", 40);
  await page.reload();
  const offsets = offsetsOf(page);
  await slowDown(page, 0);
  await openTasks(page);
  await upload(page, "disk.iso").getByText("Choose the 1 file again").waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    upload(page, "disk.iso").getByRole("button", { name: "Choose again" }).click(),
  ]);
  await chooser.setFiles(path);
  await row(page, "disk.iso").waitFor();
  assert.equal(await digestOn(client, "disk.iso"), digest);
  assert.ok(Math.min(...offsets) > 4 * MIB, `it went on at ${offsets}`);
});

test("2: the button recognises a file that was not sent to its end, and no other account sees it", async () => {
  const { account, client, visit, page } = await scene.visitAs();
  const { path, digest } = largeFile(scene.program, "tape.bin", 24);
  await openTasks(page);
  await slowDown(page, 6 * MIB);
  await filesInput(page).setInputFiles(path);
  await sentPercent(page, "tape.bin", 40);
  await page.getByRole("button", { name: `Account of ${account}` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await visit.signIn(scene.program.addAccount());
  await openTasks(page);
  await tasks(page).getByText("No task is running.").waitFor();
  await page.context().clearCookies();
  await visit.signIn(account);
  const offsets = offsetsOf(page);
  await openTasks(page);
  await upload(page, "tape.bin").waitFor();
  await filesInput(page).setInputFiles(path);
  await row(page, "tape.bin").waitFor();
  assert.equal(await digestOn(client, "tape.bin"), digest);
  assert.ok((offsets[0] ?? 0) > 4 * MIB, `it went on at ${offsets}`);
});

test("2: an upload is paused, resumed and cancelled", async () => {
  const { client, page } = await scene.visitAs();
  const { path, digest } = largeFile(scene.program, "talk.mkv", 24);
  await openTasks(page);
  await slowDown(page, 6 * MIB);
  await filesInput(page).setInputFiles(path);
  await sentPercent(page, "talk.mkv", 20);
  const item = upload(page, "talk.mkv");
  await item.getByText(/MB\/s/).waitFor();
  await item.getByRole("button", { name: "Pause" }).press("Enter");
  await item.getByText("Paused").waitFor();
  const offsets = offsetsOf(page);
  await item.getByRole("button", { name: "Resume" }).click();
  await row(page, "talk.mkv").waitFor();
  assert.ok((offsets[0] ?? 0) > 0);
  assert.equal(await digestOn(client, "talk.mkv"), digest);

  await slowDown(page, 2 * MIB);
  const other = largeFile(scene.program, "other.mkv", 24);
  await filesInput(page).setInputFiles(other.path);
  await sentPercent(page, "other.mkv", 20);
  const ended = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await upload(page, "other.mkv").getByRole("button", { name: "Cancel" }).click();
  assert.equal((await ended).status(), 204);
  await upload(page, "other.mkv").waitFor({ state: "detached" });
  assert.deepEqual(await client.names(), ["talk.mkv"]);
});

test("2: a tab that is closed during an upload asks first", async () => {
  const { page } = await scene.visitAs();
  await openTasks(page);
  await slowDown(page, 6 * MIB);
  await filesInput(page).setInputFiles(largeFile(scene.program, "long.bin", 24).path);
  await sentPercent(page, "long.bin", 20);
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
  await upload(page, "long.bin").getByRole("button", { name: "Pause" }).click();
  await upload(page, "long.bin").getByText("Paused").waitFor();
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;
});

test("2: thousands of files in folders go up, and the page answers meanwhile", async () => {
  const { client, page } = await scene.visitAs();
  const folder = join(scene.program.folder, "chosen", "tree");
  for (let index = 0; index < 2_000; index += 1)
    fileOf(scene.program, `tree/part ${index % 7}/n${index}.txt`, `${index}`);
  await openTasks(page);
  await folderInput(page).setInputFiles(folder);
  const item = upload(page, "tree");
  await item.getByText(/of 2,000 files/).waitFor();
  await page.getByRole("button", { name: "New folder" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await item.getByText("Uploaded").waitFor({ timeout: 300_000 });
  const counts = await Promise.all([0, 1, 2, 3, 4, 5, 6].map((part) => client.names(`tree/part ${part}`)));
  assert.equal(counts.flat().length, 2_000);
  assert.equal(await client.text("tree/part 3/n3.txt"), "3");
});

test("11: folders are dropped from the desktop, empty ones too, also onto a folder of the list", async () => {
  const { client, page } = await scene.visitAs(async (it) => it.makeFolder("target"));
  const inner = fileOf(scene.program, "dropped/inner/file.txt", "inner");
  const dropped = dirname(dirname(inner));
  mkdirSync(join(dropped, "hollow"), { recursive: true });
  const single = fileOf(scene.program, "single.txt", "single");
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [dropped, single], dragOperationsMask: 1 };
  const drop = async (x: number, y: number) => {
    for (const type of ["dragEnter", "dragOver", "drop"] as const) {
      await devtools.send("Input.dispatchDragEvent", { type, x, y, data });
      if (type === "dragOver") await page.getByText("Drop to upload to").waitFor();
    }
  };
  await row(page, "target").waitFor();
  await drop(900, 700);
  await row(page, "dropped").waitFor();
  await row(page, "single.txt").waitFor();
  await eventually(async () => (await client.names("dropped")).length === 2, "the file within");
  assert.deepEqual(await client.names("dropped"), ["hollow", "inner"]);
  await eventually(async () => (await client.names("dropped/inner")).length === 1, "its content");
  assert.equal(await client.text("dropped/inner/file.txt"), "inner");
  const box = await row(page, "target").boundingBox();
  await drop((box?.x ?? 0) + 60, (box?.y ?? 0) + 20);
  await eventually(async () => (await client.names("target")).length === 2, "what was dropped onto the folder");
  assert.deepEqual(await client.names("target"), ["dropped", "single.txt"]);
});

test("22: a file that cannot be read is named, and the others of its folder go up", async () => {
  const { client, page } = await scene.visitAs();
  await page.addInitScript(() => {
    const lock = (entry: FileSystemEntry) => {
      const file = (_done: unknown, fail: ErrorCallback) => fail(new DOMException("no", "NotReadableError"));
      if (entry.name === "locked.txt") Object.assign(entry, { file });
    };
    const { webkitGetAsEntry } = DataTransferItem.prototype;
    DataTransferItem.prototype.webkitGetAsEntry = function () {
      const folder = webkitGetAsEntry.call(this) as FileSystemDirectoryEntry;
      const reader = folder.createReader();
      const readEntries: typeof reader.readEntries = (done, fail) =>
        reader.readEntries((entries) => {
          entries.forEach(lock);
          done(entries);
        }, fail);
      return Object.assign(folder, { createReader: () => ({ readEntries }) });
    };
  });
  await page.reload();
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  const folder = dirname(fileOf(scene.program, "drawer/a.txt", "a"));
  for (const name of ["locked.txt", "z.txt"]) fileOf(scene.program, `drawer/${name}`, name);
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await devtools.send("Input.dispatchDragEvent", { type, x: 900, y: 700, data });
  }
  await page.getByText(/2 files are uploaded.*1 left out.*locked\.txt/).waitFor();
  assert.deepEqual(await client.names("drawer"), ["a.txt", "z.txt"]);
  await page.getByRole("button", { name: "Show" }).click();
  await upload(page, "drawer").getByText("locked.txt: This device does not let it be read").waitFor();
});

test("11: what is pasted is uploaded", async () => {
  const { client, page } = await scene.visitAs();
  await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(["pasted"], "pasted.txt"));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
  await row(page, "pasted.txt").waitFor();
  assert.equal(await client.text("pasted.txt"), "pasted");
});

test("18: what does not fit is told before anything is sent", async () => {
  const account = scene.program.addAccount("--quota", "1MiB");
  const client = scene.program.client(account);
  const { page } = await scene.visit().then(async (visit) => {
    await visit.signIn(account);
    return visit;
  });
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/v2/uploads")) sent += 1;
  });
  await filesInput(page).setInputFiles(largeFile(scene.program, "much.bin", 2).path);
  const dialog = page.getByRole("alertdialog", { name: "There is not enough room" });
  await dialog.getByText("The upload needs 2.0 MB, but only 1.0 MB are free").waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  assert.equal(sent, 0);
  assert.deepEqual(await client.names(), []);
});

test("22: a share that may only be read takes nothing", async () => {
  const account = scene.program.addAccount();
  const target = join(scene.program.folder, "read");
  mkdirSync(target, { mode: 0o777 });
  scene.program.command(["share", "add", "--name", "Plain", "--target", target, "--account", account, "--read-only"]);
  const visit = await scene.visit();
  await visit.signIn(account);
  const { page } = visit;
  await page.getByRole("navigation", { name: "Locations" }).getByRole("link", { name: "Plain" }).click();
  await page.waitForURL("**/files/__*");
  const button = page.getByRole("button", { name: "Upload", exact: true });
  await eventually(() => button.isDisabled(), "a button that does nothing");
  await filesInput(page).setInputFiles(fileOf(scene.program, "no.txt", "no"));
  await openTasks(page);
  await upload(page, "no.txt").getByText("You are not allowed to do this here.").waitFor();
});
