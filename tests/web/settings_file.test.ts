import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertAccessible } from "./axe.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

test("25: a new administrator finds the line that shares folders, and it works without a restart", async () => {
  const { program } = scene;
  const root = join(program.folder, "srv");
  mkdirSync(join(root, "photos"), { recursive: true });
  const account = program.addAccount("--role", "admin");
  const visit = await scene.visit();
  const { page } = visit;
  await visit.openAs(account, "/admin/shares");
  await page.getByRole("button", { name: "New share" }).click();
  const dialog = page.getByRole("dialog", { name: "New share" });
  const file = join(program.data, "coffer.toml");
  const line = await dialog.getByRole("textbox", { name: `A line in ${file}` }).inputValue();
  const command = await dialog.getByRole("textbox", { name: "Or a command on the server" }).inputValue();
  assert.match(command, new RegExp(` share add --data ${program.data} --name Photos `));
  await assertAccessible(page, "what shares folders");
  writeFileSync(file, line.replace("/srv/photos", root));
  const tree = dialog.getByRole("treegrid", { name: "Choose a folder" });
  await tree.getByRole("row", { name: root }).click();
  await page.keyboard.press("Escape");
  await page.goto("/admin/storage");
  await page
    .getByRole("region", { name: "Disks" })
    .getByText(/ free of /)
    .first()
    .waitFor();
  await page.goto("/admin/settings");
  await page.getByText(`Changes in ${file} take effect within seconds`).waitFor();
  const list = page.getByRole("grid", { name: "Settings", exact: true });
  await list.getByRole("row", { name: "share_roots Changed", exact: true }).getByText("Settings file").waitFor();
});
