import type { OwnMessages, PageMessages } from "./types";

type Entry = {
  name: string;
  direction: "ltr" | "rtl";
  load: () => Promise<OwnMessages>;
  loadPages: () => Promise<PageMessages>;
};

/** Every language with its own name for itself. Only the one in use is loaded. */
export const LANGUAGES = {
  en: {
    name: "English",
    direction: "ltr",
    load: async () => (await import("./en")).en,
    loadPages: async () => (await import("./en-pages")).enPages,
  },
  es: {
    name: "Español",
    direction: "ltr",
    load: async () => (await import("./es")).es,
    loadPages: async () => (await import("./es-pages")).esPages,
  },
  de: {
    name: "Deutsch",
    direction: "ltr",
    load: async () => (await import("./de")).de,
    loadPages: async () => (await import("./de-pages")).dePages,
  },
  fr: {
    name: "Français",
    direction: "ltr",
    load: async () => (await import("./fr")).fr,
    loadPages: async () => (await import("./fr-pages")).frPages,
  },
  "zh-Hans": {
    name: "简体中文",
    direction: "ltr",
    load: async () => (await import("./zh-Hans")).zhHans,
    loadPages: async () => (await import("./zh-Hans-pages")).zhHansPages,
  },
  ar: {
    name: "العربية",
    direction: "rtl",
    load: async () => (await import("./ar")).ar,
    loadPages: async () => (await import("./ar-pages")).arPages,
  },
} as const satisfies Record<string, Entry>;

export type Language = keyof typeof LANGUAGES;

const STORED = "coffer.language";

export function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(LANGUAGES, text);
}

/** The first of the wanted languages that there is; a region of it counts too (`de-AT`, `zh-CN`). */
export function bestLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const { language } = new Intl.Locale(tag);
    if (language === "zh") return "zh-Hans";
    if (isLanguage(language)) return language;
  }
  return "en";
}

/** What was chosen on this device, else what the browser asks for. */
export function initialLanguage(): Language {
  const chosen = localStorage.getItem(STORED);
  return isLanguage(chosen) ? chosen : bestLanguage(navigator.languages);
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(STORED, language);
}
