import { Button } from "~/controls/Button";
import { CopyField } from "~/controls/CopyField";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import { curlLine } from "./curl-line";
import type { CreatedKey } from "./query";
import styles from "./SecretDialog.module.css";

/** The secret of a new key. Nothing but its button closes it: a click that misses would lose the secret. */
export function SecretDialog({ made, onClose }: { made: CreatedKey; onClose: () => void }) {
  const { t } = useMessages();
  const line = curlLine(window.location.origin, made.secret, made.key.folder);
  return (
    <Dialog title={t("keys.madeTitle", { name: made.key.name })} size="medium" onClose={() => {}}>
      <p className={styles.warning}>{t("keys.secretHint")}</p>
      <CopyField label={t("keys.secret")} value={made.secret} copy={t("app.copy")} />
      <CopyField label={t("keys.tryIt")} value={line} copy={t("keys.takeLine")} iconOnly rows={3} />
      <DialogButtons>
        <Button look="primary" autoFocus onPress={onClose}>
          {t("keys.done")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
