import type { WantedTask } from "~/model/tasks";
import { encodingName } from "./encodings";

export type CharacterSet = NonNullable<WantedTask["characterSet"]>;

/** What names are written in that are not UTF-8, and for which languages. Zips of Windows have the sets of DOS. */
const SETS: readonly { set: CharacterSet; languages: readonly string[] }[] = [
  { set: "ibm850", languages: ["de", "fr", "es", "pt", "it", "nl", "da", "sv", "nb", "fi"] },
  { set: "ibm437", languages: ["en"] },
  { set: "windows-1252", languages: ["de", "fr", "es", "en", "pt", "it", "nl", "da", "sv", "nb", "fi"] },
  { set: "iso-8859-1", languages: ["de", "fr", "es", "en", "pt", "it", "nl", "da", "sv", "nb", "fi"] },
  { set: "iso-8859-15", languages: ["de", "fr", "es", "en", "pt", "it", "nl", "da", "sv", "nb", "fi"] },
  { set: "ibm852", languages: ["pl", "cs", "hu", "sk", "sl", "hr", "ro"] },
  { set: "windows-1250", languages: ["pl", "cs", "hu", "sk", "sl", "hr", "ro"] },
  { set: "iso-8859-2", languages: ["pl", "cs", "hu", "sk", "sl", "hr", "ro"] },
  { set: "ibm866", languages: ["ru", "uk", "be", "bg"] },
  { set: "windows-1251", languages: ["ru", "uk", "be", "bg", "sr"] },
  { set: "koi8-r", languages: ["ru"] },
  { set: "ibm737", languages: ["el"] },
  { set: "windows-1253", languages: ["el"] },
  { set: "ibm857", languages: ["tr"] },
  { set: "windows-1254", languages: ["tr"] },
  { set: "ibm862", languages: ["he"] },
  { set: "windows-1255", languages: ["he"] },
  { set: "ibm720", languages: ["ar", "fa"] },
  { set: "windows-1256", languages: ["ar", "fa"] },
  { set: "ibm775", languages: ["et", "lv", "lt"] },
  { set: "windows-1257", languages: ["et", "lv", "lt"] },
  { set: "windows-1258", languages: ["vi"] },
  { set: "tis-620", languages: ["th"] },
  { set: "shift_jis", languages: ["ja"] },
  { set: "euc-jp", languages: ["ja"] },
  { set: "gb18030", languages: ["zh-Hans"] },
  { set: "big5", languages: ["zh-Hant"] },
  { set: "euc-kr", languages: ["ko"] },
];

type Choice = { value: CharacterSet; text: string };

/** Each set and UTF-8, by their names. */
export function allCharacterSets(): Choice[] {
  const others = SETS.map(({ set }) => ({ value: set, text: encodingName(set) }));
  const { compare } = new Intl.Collator("en", { numeric: true });
  return [{ value: "utf-8", text: "UTF-8" }, ...others.sort((a, b) => compare(a.text, b.text))];
}

/** Each set with the names of its first languages, as they are called in `shown`; those of `own` languages come first. */
export function characterSets(shown: string, own: readonly string[]): Choice[] {
  const names = new Intl.DisplayNames(shown, { type: "language" });
  const primary = own.map((tag) => {
    const { language, script } = new Intl.Locale(tag).maximize();
    return language === "zh" ? `zh-${script}` : language;
  });
  const rank = (languages: readonly string[]) => {
    const found = primary.findIndex((language) => languages.includes(language));
    return found === -1 ? primary.length : found;
  };
  return SETS.toSorted((a, b) => rank(a.languages) - rank(b.languages)).map(({ set, languages }) => {
    const called = languages.slice(0, 3).map((language) => names.of(language) ?? language);
    return {
      value: set,
      text: `${new Intl.ListFormat(shown, { type: "unit" }).format(called)} (${encodingName(set)})`,
    };
  });
}
