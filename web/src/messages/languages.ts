import type { Messages, Plural } from "./types";

/** Every language with its own name for itself. */
export const LANGUAGES = {
  en: { name: "English", direction: "ltr" },
  es: { name: "Español", direction: "ltr" },
  de: { name: "Deutsch", direction: "ltr" },
  fr: { name: "Français", direction: "ltr" },
  "zh-Hans": { name: "简体中文", direction: "ltr" },
  ar: { name: "العربية", direction: "rtl" },
} as const satisfies Record<string, { name: string; direction: "ltr" | "rtl" }>;

export type Language = keyof typeof LANGUAGES;

// The build completes each file by the English texts that it lacks (script/messages.mjs).
const FILES = import.meta.glob<Record<string, string | Plural>>("./*.json", { import: "default" });

/** Loads the texts of a language: those of every page, or those of the pages beside the files. */
export async function loadTexts(language: Language, part: "all" | "pages"): Promise<Partial<Messages>> {
  const load = FILES[`./${language}${part === "pages" ? "-pages" : ""}.json`];
  if (!load) throw new Error(`there are no texts in ${language}`);
  return (await load()) as Partial<Messages>;
}

const STORED = "coffer.language";

function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(LANGUAGES, text);
}

/** What can be understood of the tags that a browser has; on Linux some are names of the system (`C`, `en-US@posix`). */
function localesOf(tags: readonly string[]): Intl.Locale[] {
  return tags.flatMap((tag) => {
    try {
      return [new Intl.Locale(tag.replace(/[@.].*/, ""))];
    } catch {
      return [];
    }
  });
}

/** The first of the wanted languages that the interface has, in any region (`de-AT`, `zh-CN`). */
export function bestLanguage(wanted: readonly string[]): Language {
  for (const { language } of localesOf(wanted)) {
    if (language === "zh") return "zh-Hans";
    if (isLanguage(language)) return language;
  }
  return "en";
}

/** The language as the first of the wanted regions that speak it writes dates and numbers: `en-GB` for `["de", "en-GB"]`. */
export function localeOf(language: Language, wanted: readonly string[]): string {
  const spoken = new Intl.Locale(language).language;
  const region = localesOf(wanted).find((it) => it.language === spoken)?.region;
  return region === undefined ? language : new Intl.Locale(language, { region }).toString();
}

/** The language chosen on this device, else the one that the browser asks for. */
export function initialLanguage(): Language {
  const chosen = localStorage.getItem(STORED);
  return isLanguage(chosen) ? chosen : bestLanguage(navigator.languages);
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(STORED, language);
}
