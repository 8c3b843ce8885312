import { Button } from "~/controls/Button";
import { CopyField } from "~/controls/CopyField";
import { DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import styles from "./Security.module.css";

type Props = { codes: readonly string[]; onDone: () => void };

/** Codes that cannot be shown again, to be kept. */
export function RecoveryCodes({ codes, onDone }: Props) {
  const { t } = useMessages();
  return (
    <div className={styles.form}>
      <p className={styles.warning}>{t("security.codesHint")}</p>
      <CopyField label={t("security.codes")} value={codes.join("\n")} copy={t("app.copy")} rows={codes.length} />
      <DialogButtons>
        <Button look="primary" autoFocus onPress={onDone}>
          {t("security.codesKept")}
        </Button>
      </DialogButtons>
    </div>
  );
}
