import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { Formats } from "./formats";
import { LANGUAGES, type Language, loadTexts, localeOf, rememberLanguage } from "./languages";
import { type Translate, translator } from "./translate";
import type { Messages } from "./types";

export { type Formats, joined } from "./formats";
export { LANGUAGES, type Language } from "./languages";
export type { Translate } from "./translate";
export type { Key, PlainKey } from "./types";

type Texts = {
  t: Translate;
  formats: Formats;
  language: Language;
  choose: (language: Language) => Promise<void>;
};

const Context = createContext<Texts | null>(null);

/** The texts of the language in use, and how it writes numbers, sizes and dates. */
export function useMessages(): Texts {
  const texts = useContext(Context);
  if (!texts) throw new Error("there is no MessagesProvider");
  return texts;
}

function show(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
}

type Chosen = { language: Language; messages: Messages };

let shown: Chosen | null = null;
let arePagesWanted = false;

/** For what is asked beside the components: those ask `useMessages`. */
export function shownLanguage(): Language {
  return shown?.language ?? "en";
}

/** Loads a language, so that the first thing shown is in it. */
export async function loadMessages(language: Language): Promise<Chosen> {
  const own = await loadTexts(language, "all");
  const pages = arePagesWanted ? await loadTexts(language, "pages") : null;
  // The texts of pages beside the files are missing until `withPageTexts` loads them.
  shown = { language, messages: { ...own, ...pages } as Messages };
  show(language);
  return shown;
}

/** Loads a page beside the files, or a part of one, with the texts of those pages. */
export async function withPageTexts<Part>(load: () => Promise<Part>): Promise<Part> {
  arePagesWanted = true;
  const before = shown;
  const [part, pages] = await Promise.all([load(), before && loadTexts(before.language, "pages")]);
  // If another language was chosen meanwhile, its texts come with those of the pages.
  if (before) Object.assign(before.messages, pages);
  return part;
}

export function MessagesProvider({ first, children }: { first: Chosen; children: ReactNode }) {
  const [chosen, setChosen] = useState(first);
  const texts = useMemo(() => {
    const formats = new Formats(localeOf(chosen.language, navigator.languages));
    const choose = async (language: Language) => {
      rememberLanguage(language);
      setChosen(await loadMessages(language));
    };
    return { t: translator(chosen.messages, formats), formats, language: chosen.language, choose };
  }, [chosen]);
  return (
    <I18nProvider locale={chosen.language}>
      <Context value={texts}>{children}</Context>
    </I18nProvider>
  );
}
