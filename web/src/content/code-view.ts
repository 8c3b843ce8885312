// CodeMirror puts its styles into a style element, which the pages' policy forbids, or, within a shadow root, into
// style sheets made by script, which it allows: so each editor stands in a shadow root of its own.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, LanguageDescription, syntaxHighlighting } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers, ViewPlugin } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { Translate } from "~/messages";

type CodeOptions = { name: string; label: string; lineBreak: string; isReadOnly: boolean };

/** The text is there at once; its colours come when the language of the file's name is loaded. */
function languageLater(name: string): Extension {
  const found = LanguageDescription.matchFilename(languages, name);
  if (!found) return [];
  const place = new Compartment();
  const loader = ViewPlugin.define((view) => {
    let isGone = false;
    const show = async () => {
      const language = await found.load();
      if (!isGone) view.dispatch({ effects: place.reconfigure(language) });
    };
    // Without its colours it is a text still.
    show().catch(() => {});
    return {
      destroy() {
        isGone = true;
      },
    };
  });
  return [place.of([]), loader];
}

/** The extensions that the editor and the view of two versions share. */
export function codeExtensions({ name, label, lineBreak, isReadOnly }: CodeOptions): Extension[] {
  return [
    lineNumbers(),
    highlightSpecialChars(),
    drawSelection(),
    bracketMatching(),
    highlightSelectionMatches(),
    syntaxHighlighting(classHighlighter),
    codeTheme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false" }),
    EditorState.lineSeparator.of(lineBreak),
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    search({ top: true }),
    keymap.of([...searchKeymap, ...(isReadOnly ? [] : [...historyKeymap, ...defaultKeymap])]),
    isReadOnly ? [] : history(),
    languageLater(name),
  ];
}

/** The root that an editor stands in; made once for each element. */
export function shadowOf(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: "open" });
}

/** The design's colours; those of the language have at least 4.5 of contrast on `surface` in both themes. */
const codeTheme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "var(--text-body)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { caretColor: "var(--accent)", paddingBlock: "var(--space-3)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { color: "var(--text-soft)", backgroundColor: "var(--canvas)", borderColor: "var(--line)" },
  ".cm-lineNumbers .cm-gutterElement": { paddingInline: "var(--space-3)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft-hover)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
  ".cm-searchMatch": { backgroundColor: "light-dark(#ffe9a8, #54470f)" },
  ".cm-searchMatch-selected": { backgroundColor: "light-dark(#ffd257, #7a640f)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--raised)", borderColor: "var(--line)" },
  ".cm-textfield": { color: "var(--text)", backgroundColor: "var(--surface)", borderColor: "var(--line-control)" },
  ".cm-button": {
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    backgroundImage: "none",
    borderColor: "var(--line-control)",
    borderRadius: "var(--radius-2)",
  },
  ".cm-panel.cm-search [name=close]": { color: "var(--text-soft)" },
  ".cm-changedLine": { backgroundColor: "var(--accent-soft) !important" },
  ".cm-changedText": { background: "var(--accent-soft-hover) !important" },
  ".cm-specialChar": { color: "var(--danger)" },
  ".tok-keyword, .tok-operatorKeyword": { color: "light-dark(#8b2f8f, #dd9fe0)" },
  ".tok-string, .tok-string2": { color: "light-dark(#34691a, #a8d58a)" },
  ".tok-number, .tok-bool, .tok-atom, .tok-literal": { color: "light-dark(#8a4a00, #f0b36b)" },
  ".tok-comment, .tok-meta": { color: "var(--text-soft)" },
  ".tok-typeName, .tok-className, .tok-namespace": { color: "light-dark(#0b5f86, #86c7ea)" },
  ".tok-propertyName, .tok-labelName, .tok-definition": { color: "light-dark(#1d4f9c, #9dbff5)" },
  ".tok-heading": { fontWeight: "600" },
  ".tok-emphasis": { fontStyle: "italic" },
  ".tok-strong": { fontWeight: "600" },
  ".tok-link, .tok-url": { color: "var(--accent)", textDecoration: "underline" },
  ".tok-invalid": { color: "var(--danger)" },
});

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
