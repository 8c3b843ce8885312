import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import enPages from "./en-pages.json";

const SOURCES = resolve(import.meta.dirname, "..");
/** Loaded with the texts of pages, as the editor is too; of controls, what only such pages show. */
const OF_PAGES =
  /^(account|administration|bin|connectors|content|devices|editor|guest|keys|links|locks|security|settings|share-target|sharing|sign-in|versions|messages|api)\/|^model\/(agent|pages)\.|^controls\/ListState\.|^shortcuts\/ShortcutsDialog\.|^preview\/|^uploads\/NoRoomDialog\.|^tasks\/(TaskItem|TasksPanel|UploadItem)\.|^files\/(UnpackDialog|DetailsPanel|NameDialog)|^shell\/(AccountMenu|NotFound)\.|^transfer\/(actions|deletion)\.|^search\/SearchScope\.|^conflicts\/ConflictDialog\.|^confirmation\/ConfirmationDialog\./;

it("texts of the pages beside the files are used by those alone, since they are loaded with them", () => {
  const names = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const others = names.filter((name) => !OF_PAGES.test(name));
  expect(others.length).toBeGreaterThan(100);
  const sections = new Set(Object.keys(enPages).map((key) => key.slice(0, key.indexOf(".") + 1)));
  for (const name of others) {
    const text = readFileSync(join(SOURCES, name), "utf8");
    const used = [...text.matchAll(/["`](\w+\.)(\w*)/g)].flatMap(([, section = "", rest = ""]) => {
      if (!sections.has(section)) return [];
      return Object.hasOwn(enPages, section + rest) || rest === "" ? [section + rest] : [];
    });
    expect(used, name).toEqual([]);
  }
});
