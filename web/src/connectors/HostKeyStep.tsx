import { useId } from "react";
import { Button } from "~/controls/Button";
import { DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import { type Draft, usualPort } from "./draft";
import styles from "./HostKeyStep.module.css";

type Props = {
  draft: Draft;
  /** The key that the server shows. */
  hostKey: string;
  /** The one that was trusted before; empty for none. */
  before: string;
  onRefuse: () => void;
  onConfirm: () => void;
};

/** Asks whether the server is the one that is meant, before a password goes to it. */
export function HostKeyStep({ draft, hostKey, before, onRefuse, onConfirm }: Props) {
  const { t } = useMessages();
  const id = useId();
  const server = `${draft.host.trim()}:${draft.port || usualPort(draft)}`;
  return (
    <section className={styles.step} aria-labelledby={id}>
      <h3 id={id}>{t("connectors.keyTitle")}</h3>
      <p>{t("connectors.keyHint", { server })}</p>
      <output className={styles.key} aria-label={t("connectors.fingerprint")} dir="ltr">
        {hostKey}
      </output>
      {before !== "" && before !== hostKey && <p className={styles.warning}>{t("connectors.keyChanged")}</p>}
      <p className={styles.soft}>{t("connectors.keyCheck")}</p>
      <DialogButtons>
        <Button autoFocus onPress={onRefuse}>
          {t("connectors.back")}
        </Button>
        <Button look="primary" onPress={onConfirm}>
          {t("connectors.trust")}
        </Button>
      </DialogButtons>
    </section>
  );
}
