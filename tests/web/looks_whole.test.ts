import { type TestContext, test } from "node:test";
import { LOOKS, looksRight, readmePicture } from "./looks.ts";
import { png } from "./made.ts";
import { type Client, PASSWORD } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

/** Before there is an account, so it is the first. */
test("23: the set-up page looks right", async (t: TestContext) => {
  for (const look of LOOKS) {
    await t.test(look.name, async () => {
      const { page } = await scene.visit(look);
      await page.goto(scene.program.setUpLink());
      await page.getByRole("textbox").first().waitFor();
      await looksRight(page, "set-up", look);
    });
  }
});

async function fill(client: Client): Promise<void> {
  for (const name of ["Invoices 2026", "Photos", "Projects"]) await client.makeFolder(name);
  const files: [string, number][] = [
    ["Budget.xlsx", 48_200],
    ["Minutes of the meeting in the spring, with all that was said about the garden and the fence.docx", 18_312],
    ["holiday.jpg", 3_420_118],
    ["interview.mp3", 8_111_222],
    ["letter.pdf", 120_400],
    ["notes.md", 912],
    ["release.tar.gz", 5_220_110],
    ["script.py", 4_120],
  ];
  for (const [name, size] of files) await client.put(name, new Uint8Array(size));
  await client.makeFolder("Photos/2026/Summer");
  await client.put("Photos/2026/Summer/beach.jpg");
}

test("23: the pages of files look right", async (t: TestContext) => {
  const account = scene.program.addAccount("--quota", "20M");
  await fill(scene.program.client(account));
  for (const look of LOOKS) {
    await t.test(look.name, async () => {
      const visit = await scene.visit(look);
      const { page } = visit;
      await visit.beginSession(account);
      await page.goto("/files/");
      await page.getByRole("row", { name: "holiday.jpg" }).waitFor();
      await looksRight(page, "files", look);
      if (look.touch) return;
      await page.getByRole("row", { name: "holiday.jpg" }).click();
      await page.getByRole("row", { name: "letter.pdf" }).click({ modifiers: ["Shift"] });
      await looksRight(page, "files-selected", look);
    });
  }
});

test("23: what opens over the files looks right", async (t: TestContext) => {
  const account = scene.program.addAccount();
  await fill(scene.program.client(account));
  for (const look of LOOKS.filter(({ language, touch }) => !language && !touch)) {
    await t.test(look.name, async () => {
      const visit = await scene.visit(look);
      const { page } = visit;
      await visit.beginSession(account);
      await page.goto("/files/Photos/2026/Summer");
      await page.getByRole("row", { name: "beach.jpg" }).click();
      await page.keyboard.press("F2");
      await page.getByRole("textbox", { name: "New name" }).waitFor();
      await looksRight(page, "rename", look);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Move to…" }).click();
      await page.getByRole("row", { name: "2026", exact: true }).waitFor();
      await looksRight(page, "move-to", look);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "New folder" }).click();
      await page.getByRole("dialog", { name: "New folder" }).waitFor();
      await looksRight(page, "new-folder", look);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /^Account of/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
      await looksRight(page, "account-menu", look);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Tasks" }).click();
      await page.getByRole("region", { name: "Tasks" }).waitFor();
      await looksRight(page, "tasks", look);
      await page.goto("/files/no such folder");
      await page.getByRole("alert").waitFor();
      await looksRight(page, "missing-folder", look);
    });
  }
});

test("23: the pictures of the README show files, a preview and administration", async () => {
  const account = "ann";
  for (const [name, role, quota] of [
    [account, "admin", "20M"],
    ["bea", "user", "5G"],
    ["carl", "user", "500M"],
  ] as const) {
    scene.program.command(["account", "add", name, "--role", role, "--quota", quota]);
    scene.program.command(["account", "password", name], `${PASSWORD}\n`);
  }
  await scene.program.client("bea").put("song.mp3", new Uint8Array(9_400_000));
  const client = scene.program.client(account);
  await fill(client);
  await client.put("Photos/garden.png", png(640, 400));
  await client.put(
    "notes.md",
    "# Garden\n\n- Mend the fence\n- Ask about the *apple trees*\n\n| Bed | Plants |\n| --- | --- |\n| East | beans |\n",
  );
  const light = await scene.visit({ width: 1200, height: 720 });
  await light.openAs(account);
  await light.page.getByRole("row", { name: "holiday.jpg" }).click();
  await readmePicture(light.page, "files");
  await light.page.goto("/admin/accounts");
  await light.page.getByRole("row", { name: account }).waitFor();
  await readmePicture(light.page, "administration");
  const dark = await scene.visit({ width: 360, height: 640, theme: "dark", touch: true });
  await dark.openAs(account, "/files/?preview=notes.md");
  await dark.page.getByRole("heading", { name: "Garden" }).waitFor();
  await readmePicture(dark.page, "preview");
});
