import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { useMessages } from "~/messages";
import styles from "./ConflictDialog.module.css";
import { codeExtensions, shadowOf } from "./code-view";

type Props = { name: string; theirs: string; mine: string };

const NARROW = "(max-width: 719px)";
const COLLAPSED = { margin: 3, minSize: 6 };
/** It is scrolled as a whole, not each side by itself. */
const grows: Extension = EditorView.theme({ "&": { height: "auto !important" } });

/** Two versions side by side, or where there is no room for that, one below the other line by line. */
export function TwoVersions({ name, theirs, mine }: Props) {
  const { t } = useMessages();
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = shadowOf(element);
    const side = (label: string) => [codeExtensions({ name, label, lineBreak: "\n", isReadOnly: true }), grows];
    if (window.matchMedia(NARROW).matches) {
      const merged = unifiedMergeView({ original: theirs, mergeControls: false, collapseUnchanged: COLLAPSED });
      const state = EditorState.create({ doc: mine, extensions: [side(t("editor.mine")), merged] });
      const view = new EditorView({ state, root, parent: root });
      return () => view.destroy();
    }
    const view = new MergeView({
      a: { doc: theirs, extensions: side(t("editor.theirs")) },
      b: { doc: mine, extensions: side(t("editor.mine")) },
      root,
      parent: root,
      collapseUnchanged: COLLAPSED,
    });
    return () => view.destroy();
  }, [name, theirs, mine, t]);
  return <div ref={host} className={styles.versions} dir="ltr" />;
}
