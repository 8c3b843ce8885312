import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { assertAccessibleInBoth } from "./axe.ts";
import { becomes, hasFocus, row, shows } from "./list.ts";
import { LOOKS } from "./looks.ts";
import type { Client } from "./program.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

type Receiver = { account: string | null; group: string | null };
type Share = { id: string; path: string | null; location: string; access: string; with: Receiver[] };

async function sharesOf(client: Client, direction = "byMe"): Promise<Share[]> {
  return (await (await client.call("GET", `/api/v2/shares?direction=${direction}`)).json()) as Share[];
}

/** What an account shares: the item, with whom, and with what access. */
async function given(client: Client): Promise<string[]> {
  const shares = await sharesOf(client);
  return shares.map((one) => `${one.path} ${one.with.map((it) => it.account ?? it.group)} ${one.access}`).sort();
}

const share = (client: Client, path: string, account: string, access: string) =>
  client.call("POST", "/api/v2/shares", JSON.stringify({ path, with: [{ account }], access }));

const locations = (page: Page) => page.getByRole("navigation", { name: "Locations" });
const withMe = (page: Page, name: string) =>
  page.getByRole("grid", { name: "Shared with me" }).getByRole("row", { name });
const byMe = (page: Page, name: string) => page.getByRole("grid", { name: "Shared by me" }).getByRole("row", { name });

async function openDialog(page: Page, name: string): Promise<Locator> {
  await row(page, name).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  return page.getByRole("dialog", { name: `Share “${name}”` });
}

async function choose(dialog: Locator, typed: string, name: string): Promise<void> {
  await dialog.getByRole("combobox", { name: "People and groups" }).fill(typed);
  await dialog.page().getByRole("option", { name }).click();
}

/** Goes on by Tab until that has the focus, or something in it. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let steps = 0; steps < 10; steps += 1) {
    if (await wanted.evaluate((it) => it.contains(document.activeElement))) return;
    await page.keyboard.press("Tab");
  }
  assert.fail("it is not reached by Tab");
}

test("20: a folder is shared with a person, who hears of it, uses it, and loses it again", async () => {
  const bob = scene.program.addAccount("--display-name", "Bob Baker");
  const { account, client, page } = await scene.visitAs(async (it) => {
    await it.makeFolder("album");
    await it.put("album/inner.txt", "inner");
  });
  const theirs = await scene.visit();
  await theirs.openAs(bob);
  await theirs.page.getByRole("heading", { name: "This folder is empty" }).waitFor();

  const dialog = await openDialog(page, "album");
  await choose(dialog, "bak", "Bob Baker");
  await dialog.getByRole("listbox", { name: "Access" }).getByRole("option", { name: "Can add" }).click();
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByRole("combobox", { name: "Access of Bob Baker" }).waitFor();
  assert.deepEqual(await given(client), [`album ${bob} add`]);

  // It is told, counted and listed without a reload.
  await theirs.page.getByText(`${account} shares “album” with you`).waitFor();
  const entry = locations(theirs.page).getByRole("link", { name: "Shared with me" });
  await becomes(() => entry.evaluate((link) => link.textContent), "Shared with me1");
  await entry.click();
  await theirs.page.waitForURL("**/shared-with-me");
  const received = withMe(theirs.page, "album");
  await received.getByText("New", { exact: true }).waitFor();
  await received.getByRole("gridcell", { name: account }).waitFor();
  await received.getByRole("gridcell", { name: "Can add" }).waitFor();
  await becomes(() => entry.evaluate((link) => link.textContent), "Shared with me");
  await received.click();
  await theirs.page.waitForURL("**/files/__adm_*");
  await shows(theirs.page, ["inner.txt"]);

  await dialog.getByRole("combobox", { name: "Access of Bob Baker" }).selectOption("Can edit");
  await becomes(() => given(client), [`album ${bob} write`]);
  await dialog.getByRole("button", { name: "Remove Bob Baker" }).click();
  await page.getByText("Bob Baker has no access any more").waitFor();
  assert.deepEqual(await given(client), []);
  await locations(theirs.page).getByRole("link", { name: "album" }).waitFor({ state: "detached" });
});

test("20: an open page follows another access, and names who decides", async () => {
  const ann = scene.program.client(scene.program.addAccount("--display-name", "Ann Aster"));
  await ann.makeFolder("album");
  await ann.put("album/inner.txt");
  const { account, page } = await scene.visitAs();
  const { id } = (await (await share(ann, "album", account, "read")).json()) as Share;
  const give = (access: string) => ann.call("PATCH", `/api/v2/shares/${id}`, JSON.stringify({ access }));
  await locations(page).getByRole("link", { name: "album" }).click();
  await row(page, "inner.txt").click();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const offers = async () => [await button("New folder").isEnabled(), await button("Rename").isEnabled()];
  await becomes(offers, [false, false]);
  await give("write");
  await becomes(offers, [true, true]);
  await give("add");
  await becomes(offers, [true, false]);

  // What is refused meanwhile names the owner.
  await button("New folder").click();
  const dialog = page.getByRole("dialog", { name: "New folder" });
  await page.route("**/api/v2/folders", async (route) => {
    await give("read");
    await route.continue();
  });
  await dialog.getByRole("textbox").fill("mine");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Ask Ann Aster, who shares it.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await becomes(offers, [false, false]);

  await ann.call("DELETE", `/api/v2/shares/${id}`);
  await page.getByRole("heading", { name: "It is not there any more." }).waitFor();
  await locations(page).getByRole("link", { name: "album" }).waitFor({ state: "detached" });
});

test("20: lists mark what is shared, as long as it is", async () => {
  const bob = scene.program.addAccount("--display-name", "Bo Berg");
  const { client, page } = await scene.visitAs(async (it) => {
    for (const name of ["album", "links", "plain"]) await it.makeFolder(name);
    await share(it, "album", bob, "read");
    await it.call("POST", "/api/v2/links", JSON.stringify({ path: "links" }));
  });
  await row(page, "album").getByRole("img", { name: "Shared with Bo Berg" }).waitFor();
  await row(page, "links").getByRole("img", { name: "1 link" }).waitFor();
  assert.equal(await row(page, "plain").getByRole("img").count(), 0);
  await page.getByRole("button", { name: "Grid" }).click();
  await row(page, "album").getByRole("img", { name: "Shared with Bo Berg" }).waitFor();
  // It is ended elsewhere.
  const [{ id } = { id: "" }] = await sharesOf(client);
  await client.call("DELETE", `/api/v2/shares/${id}`);
  await becomes(
    () =>
      row(page, "album")
        .getByRole("img", { name: /Shared/ })
        .count(),
    0,
  );
});

test("20: the owner sees a link that a receiver made, and ends it", async () => {
  const bob = scene.program.addAccount("--display-name", "Bor Bell");
  const theirs = scene.program.client(bob);
  const { page } = await scene.visitAs(
    async (it) => {
      await it.makeFolder("album");
      await it.put("album/inner.txt");
      const { location } = (await (await share(it, "album", bob, "read")).json()) as Share;
      await theirs.call("POST", "/api/v2/links", JSON.stringify({ path: `${location}inner.txt` }));
    },
    {},
    "/files/?details=true",
  );
  const dialog = await openDialog(page, "album");
  const access = dialog.getByRole("region", { name: "Who has access" });
  await access.getByText("Link by Bor Bell", { exact: true }).waitFor();
  await access.getByText(/inner\.txt.*See and download/).waitFor();
  await access.getByRole("button", { name: "End the link by Bor Bell" }).click();
  await access.getByText("Link by Bor Bell", { exact: true }).waitFor({ state: "detached" });
  assert.deepEqual(await (await theirs.call("GET", "/api/v2/links")).json(), []);
});

test("20: a receiver takes a share out of the own files, from its page and from the details", async () => {
  const ann = scene.program.client(scene.program.addAccount("--display-name", "Ann Archer"));
  const { account, client, page } = await scene.visitAs();
  for (const name of ["album", "plans"]) {
    await ann.makeFolder(name);
    await share(ann, name, account, "read");
  }
  await page.goto("/shared-with-me");
  await withMe(page, "plans").getByRole("button", { name: "Remove from my files" }).click();
  const question = page.getByRole("alertdialog", { name: "Remove “plans” from your files?" });
  await question.getByText("ask Ann Archer").waitFor();
  await question.getByRole("button", { name: "Remove from my files" }).click();
  await withMe(page, "plans").waitFor({ state: "detached" });

  await withMe(page, "album").click();
  await page.waitForURL("**/files/__adm_*");
  await page.getByRole("button", { name: "Details" }).click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("region", { name: "Shared by" }).getByText("Ann Archer").waitFor();
  await details.getByRole("button", { name: "Remove from my files" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove from my files" }).click();
  await locations(page).getByRole("link", { name: "album" }).waitFor({ state: "detached" });
  assert.deepEqual(await sharesOf(client, "withMe"), []);
  await page.goto("/shared-with-me");
  await page.getByRole("heading", { name: "Nothing is shared with you" }).waitFor();
});

test("20: what is deleted in a share is told to be in its owner's bin", async () => {
  const ann = scene.program.client(scene.program.addAccount("--display-name", "Ann Abbott"));
  await ann.makeFolder("album");
  await ann.put("album/inner.txt");
  const { account, page } = await scene.visitAs();
  await share(ann, "album", account, "write");
  await locations(page).getByRole("link", { name: "album" }).click();
  await row(page, "inner.txt").click();
  await page.keyboard.press("Delete");
  await page.getByText("“inner.txt” is in the bin of Ann Abbott").waitFor();
  assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);
  const bin = (await (await ann.call("GET", "/api/v2/bin")).json()) as { entries: { path: string }[] };
  assert.deepEqual(
    bin.entries.map(({ path }) => path),
    ["album/inner.txt"],
  );
});

test("20: where one may only add, nothing that is there can be changed", async () => {
  const ann = scene.program.client(scene.program.addAccount("--display-name", "Ann Adler"));
  await ann.makeFolder("inbox");
  await ann.put("inbox/theirs.txt");
  const { account, page } = await scene.visitAs();
  await share(ann, "inbox", account, "add");
  await locations(page).getByRole("link", { name: "inbox" }).click();
  await row(page, "theirs.txt").click();
  for (const name of ["Rename", "Delete", "Move to…"]) {
    assert.ok(await page.getByRole("button", { name, exact: true }).isDisabled(), name);
  }
  await page.getByRole("button", { name: "New folder", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New folder" });
  await dialog.getByRole("textbox").fill("mine");
  await dialog.getByRole("button", { name: "Create" }).click();
  await row(page, "mine").waitFor();
  assert.deepEqual(await ann.names("inbox"), ["mine", "theirs.txt"]);
});

test("20: details say who has access, also by a folder above, and lead to the dialog", async () => {
  const bob = scene.program.addAccount("--display-name", "Bea Boyd");
  const { page } = await scene.visitAs(
    async (it) => {
      await it.makeFolder("album");
      await it.put("album/inner.txt");
      await share(it, "album", bob, "read");
      await it.call("POST", "/api/v2/links", JSON.stringify({ path: "album/inner.txt" }));
    },
    {},
    "/files/album?details=true",
  );
  const region = page.getByRole("region", { name: "Shared with" });
  await region.getByText("Bea Boyd").waitFor();
  await row(page, "inner.txt").click();
  await region.getByText("Can view · through “album”").waitFor();
  await region.getByText("1 link").waitFor();
  await region.getByRole("button", { name: "Manage access" }).click();
  await page.getByRole("dialog", { name: "Share “inner.txt”" }).waitFor();
});

test("20: what is shared is listed by item, managed, and shared no more", async () => {
  const [bob, carol] = ["Dora Dean", "Carol"].map((name) => scene.program.addAccount("--display-name", name));
  const { client, page } = await scene.visitAs(
    async (it) => {
      await it.makeFolder("album");
      await it.call(
        "POST",
        "/api/v2/shares",
        JSON.stringify({ path: "album", with: [{ account: bob }, { account: carol }], access: "read" }),
      );
    },
    {},
    "/shared-by-me",
  );
  await byMe(page, "album")
    .getByRole("gridcell", { name: /Dora Dean: Can view.*Carol: Can view/ })
    .waitFor();
  // One of several gets another access, and the others keep theirs.
  await byMe(page, "album").getByRole("button", { name: "Manage access" }).click();
  const dialog = page.getByRole("dialog", { name: "Share “album”" });
  await dialog.getByRole("combobox", { name: "Access of Carol" }).selectOption("Can edit");
  await becomes(() => given(client), [`album ${bob} read`, `album ${carol} write`].sort());
  await dialog.getByRole("button", { name: "Close" }).click();
  await byMe(page, "album")
    .getByRole("gridcell", { name: /Carol: Can edit/ })
    .waitFor();
  await byMe(page, "album").getByRole("button", { name: "Stop sharing" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop sharing" }).click();
  await page.getByRole("heading", { name: "You share nothing with people" }).waitFor();
  assert.deepEqual(await sharesOf(client), []);
});

test("8: a file is shared by keys alone, with two rights to choose from", async () => {
  const bob = scene.program.addAccount("--display-name", "Emil Ernst");
  const { client, page } = await scene.visitAs(async (it) => it.put("a.txt"));
  await row(page, "a.txt").click();
  await page.getByRole("button", { name: "Share", exact: true }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Share “a.txt”" });
  await dialog.waitFor();
  await hasFocus(page);
  await page.keyboard.type("emil e");
  await page.getByRole("option", { name: "Emil Ernst" }).waitFor();
  // The only one that fits needs no arrow.
  await page.keyboard.press("Enter");
  await dialog.getByRole("row", { name: "Emil Ernst" }).waitFor();
  const access = dialog.getByRole("listbox", { name: "Access" });
  assert.deepEqual(await access.getByRole("option").allTextContents(), ["Can view", "Can edit"]);
  await tabTo(page, access);
  await page.keyboard.press("ArrowRight");
  await access.getByRole("option", { name: "Can edit", selected: true }).waitFor();
  await tabTo(page, dialog.getByRole("button", { name: "Share", exact: true }));
  await page.keyboard.press("Enter");
  await dialog.getByRole("combobox", { name: "Access of Emil Ernst" }).waitFor();
  assert.deepEqual(await given(client), [`a.txt ${bob} write`]);
});

test("20: what the server refuses is told, and those who were chosen stay", async () => {
  const bob = scene.program.addAccount("--display-name", "Finn Fisher");
  const { client, page } = await scene.visitAs(async (it) => it.makeFolder("album"));
  const dialog = await openDialog(page, "album");
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByText("Choose somebody from the list.").waitFor();
  await dialog.getByRole("combobox", { name: "People and groups" }).fill("nobody at all");
  await page.getByText("Nobody with this name can be found.").waitFor();
  await choose(dialog, "finn", "Finn Fisher");
  scene.program.command(["account", "disable", bob]);
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByRole("alert").filter({ hasText: bob }).waitFor();
  await dialog.getByRole("row", { name: "Finn Fisher" }).waitFor();
  assert.deepEqual(await sharesOf(client), []);
});

test("20: what is not one's own is shared by links alone, which the dialog says", async () => {
  const account = scene.program.addAccount();
  const target = join(scene.program.folder, "library");
  mkdirSync(join(target, "books"), { recursive: true });
  scene.program.command(["share", "add", "--name", "Library", "--target", target, "--account", account]);
  const visit = await scene.visit();
  await visit.openAs(account);
  await locations(visit.page).getByRole("link", { name: "Library" }).click();
  const dialog = await openDialog(visit.page, "books");
  await dialog.getByText("Only your own files can be shared with people.").waitFor();
  assert.equal(await dialog.getByRole("combobox", { name: "People and groups" }).count(), 0);
  await dialog.getByRole("button", { name: "Create link" }).waitFor();
});

test("25: an administrator makes a group, with whose members something is shared at once", async () => {
  const admin = scene.program.addAccount("--role", "admin", "--display-name", "Ann Archer");
  const bob = scene.program.addAccount("--display-name", "Gus Gray");
  const client = scene.program.client(admin);
  await client.makeFolder("album");
  const visit = await scene.visit();
  const { page } = visit;
  await visit.openAs(admin, "/admin/groups");
  await page.getByRole("button", { name: "New group" }).click();
  const form = page.getByRole("dialog", { name: "New group" });
  await form.getByRole("textbox", { name: "Name" }).fill("Builders");
  await form.getByRole("checkbox", { name: bob }).check();
  await form.getByRole("button", { name: "Create group" }).click();
  const group = page.getByRole("grid", { name: "Groups" }).getByRole("row", { name: "Builders" });
  await group.getByRole("gridcell", { name: bob }).waitFor();

  await page.goto("/files/");
  const dialog = await openDialog(page, "album");
  await choose(dialog, "buil", "Builders");
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByRole("combobox", { name: "Access of Builders" }).waitFor();
  const received = scene.program.client(bob);
  assert.equal((await sharesOf(received, "withMe")).length, 1);

  await page.goto("/admin/groups");
  await group.click();
  const change = page.getByRole("dialog", { name: "Group “Builders”" });
  await change.getByRole("checkbox", { name: bob }).uncheck();
  await change.getByRole("button", { name: "Save" }).click();
  await group.getByRole("gridcell", { name: bob }).waitFor({ state: "detached" });
  assert.deepEqual(await sharesOf(received, "withMe"), []);
  await page.getByRole("button", { name: "Actions for Builders" }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove group" }).click();
  await page.getByRole("heading", { name: "There are no groups" }).waitFor();
  assert.ok(!(await given(client)).some((one) => one.includes("Builders")));
});

for (const look of LOOKS) {
  test(`20: axe finds nothing where people share: ${look.name}`, async () => {
    const bob = scene.program.addAccount("--display-name", "محمد Baker");
    const { account, page } = await scene.visitAs(
      async (it) => {
        await it.makeFolder("album");
        await share(it, "album", bob, "read");
      },
      look,
      "/shared-by-me",
    );
    const theirs = scene.program.client(bob);
    await theirs.makeFolder("<b>plans");
    await share(theirs, "<b>plans", account, "add");
    await page.getByRole("grid").getByRole("row", { name: "album" }).waitFor();
    await assertAccessibleInBoth(page);
    await page.getByRole("grid").getByRole("button").first().click();
    await page.getByRole("dialog").getByRole("list").first().waitFor();
    await assertAccessibleInBoth(page, "the dialog", "[role=dialog]");
    const overflow = await page.getByRole("dialog").evaluate((it) => it.scrollWidth - it.clientWidth);
    assert.ok(overflow <= 0, `${overflow} pixels stand out at the side`);
    await page.goto("/shared-with-me");
    await page.getByRole("grid").getByRole("row", { name: "<b>plans" }).waitFor();
    await assertAccessibleInBoth(page);
  });
}
