import { describe, expect, it } from "vitest";
import { en } from "./en";
import { enPages } from "./en-pages";
import { Formats } from "./formats";
import { bestLanguage, LANGUAGES, type Language } from "./languages";
import { translator } from "./translate";
import type { Key, Messages, Plural } from "./types";

const ENGLISH = { ...en, ...enPages };
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
  const load = async (): Promise<Messages> => {
    const { load: own, loadPages } = LANGUAGES[language];
    return { ...(await own()), ...(await loadPages()) };
  };

  it("are all there, in the order of the English ones", async () => {
    expect(Object.keys(await load())).toEqual(KEYS);
  });

  it("leave open what the English ones leave open", async () => {
    const messages = await load();
    for (const key of KEYS) {
      const wanted = withoutCount(namesIn(formsOf(ENGLISH[key]).join()));
      for (const form of formsOf(messages[key])) {
        expect(form.trim(), key).not.toBe("");
        expect(withoutCount(namesIn(form)), key).toEqual(wanted);
      }
    }
  });

  it("have a form for each plural category of the language", async () => {
    const messages = await load();
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const key of KEYS) {
      const message = messages[key];
      if (typeof message !== "string") expect(Object.keys(message).toSorted(), key).toEqual(categories);
    }
  });
});

describe("a text", () => {
  const t = translator(ENGLISH, new Formats("en"));

  it("has its values filled in, numbers as the language writes them", () => {
    expect(t("files.count", { count: 1 })).toBe("1 item");
    expect(t("files.count", { count: 12_345 })).toBe("12,345 items");
    expect(t("files.nameTaken", { name: "{name}" })).toBe("“{name}” is there already.");
  });
});

describe("sizes", () => {
  it("go in steps of 1024, as the server's do", () => {
    const formats = new Formats("en");
    expect(formats.size(0)).toBe("0 bytes");
    expect(formats.size(1023)).toBe("1,023 bytes");
    expect(formats.size(1536)).toBe("1.5 kB");
    expect(formats.size(5 * 1024 ** 3)).toBe("5 GB");
    expect(new Formats("de").size(1536)).toBe("1,5 kB");
  });
});

describe("the language", () => {
  it("is the first that the browser asks for and there is", () => {
    expect(bestLanguage(["de-AT", "en"])).toBe("de");
    expect(bestLanguage(["pt-BR", "zh-CN"])).toBe("zh-Hans");
    expect(bestLanguage(["xx"])).toBe("en");
    expect(bestLanguage([])).toBe("en");
  });
});
