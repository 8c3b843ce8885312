import assert from "node:assert/strict";
import { test } from "node:test";
import { row } from "./list.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();

test("20: two accounts and a guest see nothing of each other", async () => {
  const mine = await scene.visitAs(async (it) => {
    await it.makeFolder("private");
    await it.put("private/secret.txt", "a secret of one");
    await it.makeFolder("kept");
    await it.makeFolder("shown");
    await it.put("shown/open.txt", "for guests");
  });
  const made = await mine.client.call("POST", "/api/v2/links", JSON.stringify({ path: "shown" }));
  const { id, token } = (await made.json()) as { id: string; token: string };
  const task = await mine.client.call(
    "POST",
    "/api/v2/tasks",
    JSON.stringify({ kind: "copy", sources: ["private"], destination: "kept", onConflict: "skip" }),
  );
  const { id: taskId } = (await task.json()) as { id: string };

  // Another account, at the addresses that the first one has.
  const theirs = await scene.visitAs(async (it) => it.put("own.txt", "own"));
  await row(theirs.page, "own.txt").waitFor();
  assert.equal(await row(theirs.page, "private").count(), 0);
  for (const path of ["/files/private", "/files/?preview=private/secret.txt"]) {
    await theirs.page.goto(path);
    await theirs.page.getByRole("alert").first().waitFor();
    assert.equal(await theirs.page.getByText("a secret of one").count(), 0, path);
  }
  const asked = theirs.visit.context.request;
  const secret = `/api/v2/files/content?${new URLSearchParams({ path: "private/secret.txt" })}`;
  for (const path of [secret, `/api/v2/tasks/${taskId}`, `/api/v2/links/${id}`]) {
    assert.ok([404, 405].includes((await asked.get(path)).status()), path);
  }
  assert.deepEqual(await (await asked.get("/api/v2/tasks")).json(), []);

  // A guest, below the link and around it.
  const guest = await scene.visit();
  await guest.page.goto(`/s/${token}`);
  await row(guest.page, "open.txt").waitFor();
  for (const path of ["..", "../private/secret.txt", "private/secret.txt", "/private", "%2e%2e/private"]) {
    const query = new URLSearchParams({ path });
    for (const kind of ["files", "content", "archive"]) {
      const answer = await guest.context.request.get(`/api/v2/guest/${token}/${kind}?${query}`);
      assert.ok(answer.status() >= 400, `${kind} ${path}: ${answer.status()}`);
      assert.ok(!(await answer.text()).includes("a secret of one"), `${kind} ${path}`);
    }
  }
  for (const path of ["/api/v2/files?path=", "/api/v2/account", "/api/v2/links", "/api/v2/tasks", "/api/v2/events"]) {
    assert.equal((await guest.context.request.get(path)).status(), 401, path);
  }
});
