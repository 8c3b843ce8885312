import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessibleInBoth } from "./axe.ts";
import { LOOKS } from "./looks.ts";
import { Scene } from "./scene.ts";
import { IS_WHOLE } from "./tier.ts";
import { asTheyAre, DIALOGS, dialogComponents, fillAll, OPEN, sayingIn } from "./tour.ts";

const scene = new Scene('share_roots = ["FOLDER/srv"]\n');

test("8: the tour opens every dialog", () => {
  const named = Object.keys(DIALOGS).filter((name) => !name.includes(" "));
  assert.deepEqual(named.sort(), dialogComponents());
});

for (const look of LOOKS) {
  test(`8: axe finds nothing in any dialog or menu: ${look.name}`, async () => {
    const account = scene.program.addAccount("--role", "admin", "--quota", "2MiB");
    const other = scene.program.addAccount();
    const { client } = await fillAll(scene.program, account);
    const say = sayingIn(look.language ?? "en");
    const visit = await scene.visit(look);
    const { page, program } = visit;
    await visit.beginSession(account);
    // A page with something unsaved asks before it is left.
    page.on("dialog", (question) => void question.accept());
    for (const [name, open] of Object.entries(DIALOGS)) {
      // Columns are not chosen on a narrow page.
      if (name === "files/ColumnsMenu" && look.touch) continue;
      await open({ page, client, program, account, other, say, named: asTheyAre });
      await page.locator(OPEN).last().waitFor();
      await assertAccessibleInBoth(page, `${name} in ${look.name}`, IS_WHOLE && !look.touch ? undefined : OPEN);
    }
  });
}
