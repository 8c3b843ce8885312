import type { Language } from "~/messages";

type Meanings = Record<string, string>;

/** In English the server itself says what its settings are for. */
const LOAD: Record<Exclude<Language, "en">, () => Promise<Meanings>> = {
  es: async () => (await import("./es")).es,
  de: async () => (await import("./de")).de,
  fr: async () => (await import("./fr")).fr,
  "zh-Hans": async () => (await import("./zh-Hans")).zhHans,
  ar: async () => (await import("./ar")).ar,
};

/** What settings are for in a language, each by its key; none for those that have no text of their own there. */
export async function settingMeanings(language: Language): Promise<Meanings> {
  return language === "en" ? {} : LOAD[language]();
}
