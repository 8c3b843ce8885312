import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { useMessages } from "~/messages";
import styles from "./CodeView.module.css";
import { codeExtensions, phrasesOf, shadowOf } from "./code-view";

export type CodeHandle = { text: () => string; replace: (text: string) => void; focus: () => void };

type Props = {
  name: string;
  label: string;
  text: string;
  lineBreak: string;
  isReadOnly: boolean;
  onChange?: () => void;
  handle?: Ref<CodeHandle>;
};

/** A text in its language's colours, which can be changed or only read. `text` is what it begins with. */
export function CodeView({ name, label, text, lineBreak, isReadOnly, onChange, handle }: Props) {
  const { t } = useMessages();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  const begin = useRef(text);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = shadowOf(element);
    const state = EditorState.create({
      doc: begin.current,
      extensions: [
        EditorState.phrases.of(phrasesOf(t)),
        ...codeExtensions({ name, label, lineBreak, isReadOnly }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed.current?.();
        }),
      ],
    });
    const made = new EditorView({ state, root, parent: root });
    view.current = made;
    if (!isReadOnly) made.focus();
    return () => {
      // Another language of the interface makes it anew, with what was typed.
      begin.current = made.state.sliceDoc();
      view.current = null;
      made.destroy();
    };
  }, [name, label, lineBreak, isReadOnly, t]);

  useImperativeHandle(
    handle,
    () => ({
      text: () => view.current?.state.sliceDoc() ?? begin.current,
      replace: (newText) => {
        const made = view.current;
        // Steps back lead past it, so that what was typed is not lost either.
        made?.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: made.state.toText(newText) } });
      },
      focus: () => view.current?.focus(),
    }),
    [],
  );
  return <div ref={host} className={styles.host} dir="ltr" />;
}
