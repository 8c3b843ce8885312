import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessibleInBoth } from "./axe.ts";
import { row, shows } from "./list.ts";
import { LOOKS } from "./looks.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

async function prepare(it: Client): Promise<void> {
  await it.makeFolder("plans/deep/deeper");
  await it.put("plans/report of may.txt", "may");
  await it.put("plans/deep/deeper/Report of june.txt", "june");
  await it.put("report elsewhere.txt", "elsewhere");
}

test("21: it finds in this folder and below while one types, and everywhere; the address keeps it", async () => {
  const { page } = await scene.visitAs(prepare, {}, "/files/plans");
  await row(page, "deep").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("report");
  await shows(page, ["report of may.txt", "Report of june.txt"]);
  await row(page, "Report of june.txt").getByText("My files / plans / deep / deeper").waitFor();
  await page.getByRole("radio", { name: "Everywhere" }).check({ force: true });
  await row(page, "report elsewhere.txt").waitFor();
  await page.getByText("3 found", { exact: true }).waitFor();
  await page.waitForURL((url) => url.searchParams.get("q") === "report" && url.searchParams.has("everywhere"));
  await page.reload();
  await row(page, "report elsewhere.txt").waitFor();
  assert.equal(await page.getByRole("searchbox", { name: "Search" }).inputValue(), "report");
});

test("21: what is found elsewhere stands in the order that is chosen", async () => {
  const { page } = await scene.visitAs(async (it) => {
    await it.makeFolder("deep/f20 of all");
    for (const [name, content] of [
      ["f198", "x"],
      ["f1946", "xx"],
      ["f191", "xxx"],
    ] as const) {
      await it.put(`deep/${name}`, content);
    }
  });
  await page.getByRole("searchbox", { name: "Search" }).fill("f");
  await shows(page, ["f20 of all", "f191", "f198", "f1946"]);
  await page.getByRole("button", { name: "Sort by Size" }).click();
  await shows(page, ["f20 of all", "f198", "f1946", "f191"]);
});

test("21: what is found is opened by keys, and the search ends in another folder", async () => {
  const { page } = await scene.visitAs(prepare);
  await page.getByRole("searchbox", { name: "Search" }).fill("june");
  await row(page, "Report of june.txt").waitFor();
  await page.getByRole("searchbox", { name: "Search" }).press("ArrowDown");
  await page.keyboard.press("Enter");
  const preview = page.getByRole("dialog", { name: "Preview of Report of june.txt" });
  await preview.getByText("june", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "detached" });
  await page.getByRole("searchbox", { name: "Search" }).fill("deeper");
  await row(page, "deeper").dblclick();
  await page.waitForURL("**/files/plans/deep/deeper");
  await shows(page, ["Report of june.txt"]);
  assert.equal(await page.getByRole("searchbox", { name: "Search" }).inputValue(), "");
});

test("21: hostile text is looked for as it is, and nothing of another account is found", async () => {
  const hostile = "<img src=x onerror=alert(1)>&path=..";
  await scene.visitAs(async (it) => it.put("of another.txt"));
  const { page } = await scene.visitAs(async (it) => {
    await it.makeFolder("sub");
    await it.put(`sub/${hostile}`);
  });
  await page.getByRole("searchbox", { name: "Search" }).fill(hostile.slice(1, 30));
  await shows(page, [hostile]);
  await page.getByRole("searchbox", { name: "Search" }).fill("of another");
  await page.getByRole("heading", { name: "Nothing here matches “of another”" }).waitFor();
});

test("21: a search that the server refuses says so", async () => {
  const { page } = await scene.visitAs(prepare);
  await page.route("**/api/v2/search?**", (route) =>
    route.fulfill({ status: 502, contentType: "application/problem+json", body: '{"code":"unavailable"}' }),
  );
  await page.getByRole("searchbox", { name: "Search" }).fill("june");
  await page.getByRole("alert").getByText("The server behind this location does not answer.").waitFor();
});

for (const look of LOOKS) {
  test(`21: axe finds nothing in a search: ${look.name}`, async () => {
    const { page } = await scene.visitAs(prepare, look, "/files/plans?q=report&everywhere=true");
    await page.getByRole("row", { name: "report elsewhere.txt" }).waitFor();
    await assertAccessibleInBoth(page);
  });
}
