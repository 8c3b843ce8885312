import type { Translate } from "~/messages";

/** The words of CodeMirror's search, in the language of the interface. */
export function phrasesOf(t: Translate): Record<string, string> {
  return {
    Find: t("editor.find"),
    Replace: t("editor.replaceBy"),
    next: t("editor.findNext"),
    previous: t("editor.findPrevious"),
    all: t("editor.findAll"),
    "match case": t("editor.matchCase"),
    regexp: t("editor.regexp"),
    "by word": t("editor.byWord"),
    replace: t("editor.replace"),
    "replace all": t("editor.replaceAll"),
    close: t("app.close"),
  };
}
