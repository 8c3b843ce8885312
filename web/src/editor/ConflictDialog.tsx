import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { nameOf } from "~/files";
import { useMessages } from "~/messages";
import styles from "./ConflictDialog.module.css";
import { TwoVersions } from "./TwoVersions";
import type { Choice, Conflict } from "./useSaving";

type Props = { path: string; conflict: Conflict; onChoose: (choice: Choice) => void };

/** Somebody has stored another version meanwhile: both are shown, and one chooses. */
export function ConflictDialog({ path, conflict, onChoose }: Props) {
  const { t } = useMessages();
  const { mine, theirs } = conflict;
  const name = nameOf(path);
  const canCompare = theirs?.isText === true && theirs.isWhole;
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
        {canCompare && <Button onPress={() => onChoose("theirs")}>{t("editor.takeTheirs")}</Button>}
        {canCompare && <Button onPress={() => onChoose("both")}>{t("editor.keepBoth")}</Button>}
        <Button look={theirs ? "danger" : "primary"} onPress={() => onChoose("mine")}>
          {t(theirs ? "editor.keepMine" : "editor.save")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
