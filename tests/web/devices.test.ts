import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { LOOKS, looksRight } from "./looks.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const PAGE = "/settings/devices";

test("a device gets a password of its own, with which its address works", async () => {
  const prepare = async (client: { put: (path: string) => Promise<void> }) => client.put("here.txt");
  const { account, page } = await scene.visitAs(prepare, undefined, PAGE);
  await page.getByRole("button", { name: "Connect a device" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a device" });
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByText("Enter a name").waitFor();
  await dialog.getByRole("textbox", { name: "Name of the device" }).fill("Laptop");
  await page.keyboard.press("Enter");
  const text = (name: string) => dialog.getByRole("textbox", { name, exact: true }).inputValue();
  await dialog.getByRole("textbox", { name: "Password", exact: true }).waitFor();
  const [address, name, password] = [await text("Address"), await text("User name"), await text("Password")];
  assert.equal(name, account);
  const options = ["-s", "-f", "-u", `${name}:${password}`, "-X", "PROPFIND", "-H", "Depth: 1"];
  assert.ok(execFileSync("curl", [...options, address], { encoding: "utf8" }).includes("here.txt"));

  // Neither a click beside the dialog nor Escape loses the password.
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("main").getByText("Each device has a key").getByRole("link").click();
  await page
    .getByRole("grid", { name: "API keys" })
    .getByRole("row", { name: /^Laptop/ })
    .waitFor();
});

test("the page of devices looks right", async (t) => {
  for (const look of LOOKS) {
    await t.test(look.name, async () => {
      const visit = await scene.visit(look);
      await visit.openAs(scene.program.addAccount(), PAGE);
      await visit.page.getByRole("heading", { level: 1 }).waitFor();
      await looksRight(visit.page, "devices", look);
    });
  }
});
