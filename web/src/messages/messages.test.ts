import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Formats } from "./formats";
import { bestLanguage, LANGUAGES, type Language, loadTexts, localeOf } from "./languages";
import { translator } from "./translate";
import type { Key, Messages, Plural } from "./types";

/** A language's own texts, without those that fall back to English. */
function textsIn(language: Language): Partial<Record<Key, string | Plural>> {
  const files = [`${language}.json`, `${language}-pages.json`];
  return Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"))));
}

const ENGLISH = textsIn("en") as Messages;
const KEYS = Object.keys(ENGLISH) as Key[];
const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[];

function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))].sort();
}

function formsOf(message: string | Plural): string[] {
  return typeof message === "string" ? [message] : Object.values(message);
}

/** A form for one or two may say the number in a word. */
function withoutCount(names: string[]): string[] {
  return names.filter((name) => name !== "count");
}

describe.each(LANGUAGE_TAGS)("the texts in %s", (language) => {
  const own = textsIn(language);
  const ownKeys = Object.keys(own) as Key[];

  it("have the keys and the order of the English ones", () => {
    expect(ownKeys).toEqual(KEYS.filter((key) => Object.hasOwn(own, key)));
    expect(ownKeys.length).toBeGreaterThan(0);
  });

  it("are completed by the English ones", async () => {
    const loaded = { ...(await loadTexts(language, "all")), ...(await loadTexts(language, "pages")) };
    expect(loaded).toEqual({ ...ENGLISH, ...own });
  });

  it("leave open what the English ones leave open", () => {
    for (const key of ownKeys) {
      const wanted = withoutCount(namesIn(formsOf(ENGLISH[key]).join()));
      for (const form of formsOf(own[key] ?? "")) {
        expect(form.trim(), key).not.toBe("");
        expect(withoutCount(namesIn(form)), key).toEqual(wanted);
      }
    }
  });

  it("have a form for each plural category of the language", () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const key of ownKeys) {
      const message = own[key];
      expect(typeof message === "string", key).toBe(typeof ENGLISH[key] === "string");
      if (typeof message === "object") expect(Object.keys(message).toSorted(), key).toEqual(categories);
    }
  });
});

describe("a text", () => {
  const t = translator(ENGLISH, new Formats("en"));

  it("has its values filled in, numbers as the language writes them", () => {
    expect(t("files.count", { count: 1 })).toBe("1 item");
    expect(t("files.count", { count: 12_345 })).toBe("12,345 items");
    expect(t("naming.taken", { name: "{name}" })).toBe("“{name}” already exists here.");
  });
});

describe("sizes", () => {
  it("are written as the server writes them, with the digits of the language", () => {
    const formats = new Formats("en");
    expect(formats.size(0)).toBe("0.0 B");
    expect(formats.size(1023)).toBe("1023.0 B");
    expect(formats.size(1024)).toBe("1.0 KB");
    expect(formats.size(1536)).toBe("1.5 KB");
    expect(formats.size(1024 ** 2 - 1)).toBe("1.0 MB");
    expect(formats.size(5 * 1024 ** 3)).toBe("5.0 GB");
    expect(new Formats("de").size(1536)).toBe("1,5 KB");
  });
});

describe("the language", () => {
  it("is the first that the browser asks for and there is", () => {
    expect(bestLanguage(["de-AT", "en"])).toBe("de");
    expect(bestLanguage(["pt-BR", "zh-CN"])).toBe("zh-Hans");
    expect(bestLanguage(["xx"])).toBe("en");
    expect(bestLanguage([])).toBe("en");
    expect(bestLanguage(["C", "de-DE@euro"])).toBe("de");
  });

  it("writes dates as in the region that is wanted", () => {
    expect(localeOf("en", ["de-DE", "en-GB", "en-US"])).toBe("en-GB");
    expect(localeOf("zh-Hans", ["zh-TW"])).toBe("zh-Hans-TW");
    expect(localeOf("de", ["en-US"])).toBe("de");
    expect(localeOf("en", ["en", "en-GB"])).toBe("en");
    expect(localeOf("en", ["C", "en-US@posix"])).toBe("en-US");
    expect(new Formats(localeOf("en", ["en-GB"])).dateTime("2026-11-30T12:00:00")).toMatch(/^30 Nov 2026/);
  });
});
