import { LogIn } from "lucide-react";
import { Button } from "~/controls/Button";
import { CopyField } from "~/controls/CopyField";
import { useMessages } from "~/messages";
import styles from "./ConnectorForm.module.css";
import { RETURN_PATH } from "./consent";
import type { LoginWish } from "./draft";
import { useConsent } from "./useConsent";

type Props = {
  /** For people. */
  provider: string;
  wish: LoginWish;
  onLogin: (parameters: Record<string, string>) => void;
};

/** The login to a drive at its provider, for those who have a client of their own there. */
export function Consent({ provider, wish, onLogin }: Props) {
  const { t } = useMessages();
  const { stage, start } = useConsent(wish, provider, onLogin);
  return (
    <>
      <CopyField
        label={t("connectors.consentRedirect")}
        value={window.location.origin + RETURN_PATH}
        copy={t("app.copy")}
      />
      <div>
        <Button icon={LogIn} onPress={() => void start()}>
          {t("connectors.consent", { provider })}
        </Button>
      </div>
      <div className={styles.live} role="status">
        {stage.step === "waits" && (
          <p>
            {t("connectors.consentWaits")}{" "}
            <a href={stage.address} target="_blank" rel="noopener noreferrer">
              {t("connectors.consentOpen")}
            </a>
          </p>
        )}
        {stage.step === "done" && (
          <p className={styles.outcome} data-works>
            {t("connectors.consentDone")}
          </p>
        )}
      </div>
      <div className={styles.live} role="alert">
        {stage.step === "failed" && <p className={styles.outcome}>{stage.text}</p>}
      </div>
    </>
  );
}
