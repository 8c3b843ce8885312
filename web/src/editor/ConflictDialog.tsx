import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { codeExtensions, shadowOf } from "~/content/code-view";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import { nameOf } from "~/model/path";
import styles from "./ConflictDialog.module.css";
import type { Choice, Conflict } from "./useSaving";

type ConflictDialogProps = { path: string; conflict: Conflict; onChoose: (choice: Choice) => void };

/** Somebody has stored another version meanwhile: both are shown, and one chooses. */
export function ConflictDialog({ path, conflict, onChoose }: ConflictDialogProps) {
  const { t } = useMessages();
  const { mine, theirs } = conflict;
  const name = nameOf(path);
  const canCompare = theirs !== null && theirs.encoding !== null && theirs.isWhole;
  const canTake = canCompare && theirs.canWrite;
  return (
    <Dialog title={t("editor.conflictTitle")} role="alertdialog" size="large" onClose={() => onChoose("neither")}>
      <p>{t(theirs ? "editor.conflictHint" : "editor.goneHint", { name })}</p>
      {canCompare && (
        <>
          <div className={styles.heads} aria-hidden>
            <span>{t("editor.theirs")}</span>
            <span>{t("editor.mine")}</span>
          </div>
          <TwoVersions name={name} theirs={theirs.text} mine={mine} />
        </>
      )}
      <DialogButtons>
        <Button autoFocus onPress={() => onChoose("neither")}>
          {t("app.cancel")}
        </Button>
        {canTake && <Button onPress={() => onChoose("theirs")}>{t("editor.takeTheirs")}</Button>}
        {canTake && <Button onPress={() => onChoose("both")}>{t("editor.keepBoth")}</Button>}
        <Button look={theirs ? "danger" : "primary"} onPress={() => onChoose("mine")}>
          {t(theirs ? "editor.keepMine" : "editor.save")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

type TwoVersionsProps = { name: string; theirs: string; mine: string };

const NARROW = "(max-width: 719px)";
const COLLAPSED = { margin: 3, minSize: 6 };
/** It is scrolled as a whole, not each side by itself. */
const grows: Extension = EditorView.theme({ "&": { height: "auto !important" } });

/** Two versions side by side, or where there is no room for that, one below the other line by line. */
function TwoVersions({ name, theirs, mine }: TwoVersionsProps) {
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
