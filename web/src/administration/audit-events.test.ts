import { expect, test } from "vitest";
import { LANGUAGES, type Language, loadTexts } from "~/messages/languages";
import { EVENTS } from "./audit";

test.each(Object.keys(LANGUAGES) as Language[])("no two events of the log have one text in %s", async (language) => {
  const texts = await loadTexts(language, "pages");
  const names = EVENTS.map((event) => texts[`audit.${event}`]);
  expect(names).toHaveLength(new Set(names).size);
  expect(names).not.toContain(undefined);
});
