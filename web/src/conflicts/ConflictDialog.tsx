import { useState } from "react";
import { Button } from "~/controls/Button";
import { CheckField } from "~/controls/CheckField";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import styles from "./ConflictDialog.module.css";
import { ItemCard } from "./ItemCard";
import { type Asked, type Choice, canReplace } from "./questions";

/** Both items side by side, and what is to become of them. */
export function ConflictDialog({ asked }: { asked: Asked }) {
  const { t } = useMessages();
  const [forAll, setForAll] = useState(false);
  const { conflict, left } = asked;
  const { there, coming } = conflict;
  const isReplaceable = canReplace(there, coming);
  const choose = (choice: Choice) => asked.answer(choice, forAll && left > 0);
  return (
    <Dialog
      title={t("conflicts.title", { name: conflict.name })}
      role="alertdialog"
      size="medium"
      onClose={asked.cancel}
    >
      <p className={styles.hint}>{t(hintOf(isReplaceable, coming.isDirectory))}</p>
      <div className={styles.pair}>
        <ItemCard key={`there ${conflict.name}`} title={t("conflicts.there")} item={there} other={coming} />
        <ItemCard key={`coming ${conflict.name}`} title={t("conflicts.coming")} item={coming} other={there} />
      </div>
      {left > 0 && (
        <CheckField label={t("conflicts.forAll", { count: left })} isChecked={forAll} onChange={setForAll} />
      )}
      <DialogButtons>
        <span className={styles.cancel}>
          <Button look="quiet" onPress={asked.cancel}>
            {t("app.cancel")}
          </Button>
        </span>
        <Button onPress={() => choose("skip")}>{t("conflicts.skip")}</Button>
        <Button isDisabled={!isReplaceable} onPress={() => choose("replace")}>
          {t("conflicts.replace")}
        </Button>
        <Button autoFocus look="primary" onPress={() => choose("keepBoth")}>
          {t("conflicts.keepBoth")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function hintOf(isReplaceable: boolean, isDirectory: boolean) {
  if (!isReplaceable) return "conflicts.hintDiffer" as const;
  return isDirectory ? ("conflicts.hintFolder" as const) : ("conflicts.hintFile" as const);
}
