import { Button } from "~/controls/Button";
import { CopyField } from "~/controls/CopyField";
import { DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import { curlLine } from "./curl-line";
import type { CreatedKey } from "./query";
import styles from "./Secret.module.css";

/** The secret of a new key, to be taken now, and a command that works with it. */
export function Secret({ made, onDone }: { made: CreatedKey; onDone: () => void }) {
  const { t } = useMessages();
  const line = curlLine(window.location.origin, made.secret);
  return (
    <>
      <p className={styles.warning}>{t("keys.secretHint")}</p>
      <CopyField label={t("keys.secret")} value={made.secret} copy={t("app.copy")} />
      <CopyField label={t("keys.tryIt")} value={line} copy={t("keys.takeLine")} iconOnly rows={3} />
      <DialogButtons>
        <Button look="primary" autoFocus onPress={onDone}>
          {t("keys.done")}
        </Button>
      </DialogButtons>
    </>
  );
}
