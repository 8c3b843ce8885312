// CodeMirror puts its styles into a style element, which the pages' policy forbids, or, within a shadow root, into
// style sheets made by script, which it allows: so each editor stands in a shadow root of its own.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, LanguageDescription, syntaxHighlighting } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers, ViewPlugin } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { codeTheme } from "./code-theme";

export type CodeOptions = { name: string; label: string; lineBreak: string; isReadOnly: boolean };

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

/** What the editor and the view of two versions have in common. */
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
