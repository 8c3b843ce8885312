import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { hasCode, problemText } from "~/api/problem";
import { Button } from "~/controls/Button";
import { CopyField } from "~/controls/CopyField";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { QrCode } from "./QrCode";
import { confirmTotp, type NewTotp } from "./query";
import { RecoveryCodes } from "./RecoveryCodes";
import styles from "./Security.module.css";

type Props = { totp: NewTotp; onClose: () => void };

/** Sets an authenticator up, then shows the recovery codes, which nothing but a button closes. */
export function TotpDialog({ totp, onClose }: Props) {
  const { t } = useMessages();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Dialog title={t(codes ? "security.codes" : "security.setUp")} size="medium" onClose={codes ? () => {} : onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <FirstCode totp={totp} onCancel={onClose} onCodes={setCodes} />
      )}
    </Dialog>
  );
}

type FirstCodeProps = { totp: NewTotp; onCancel: () => void; onCodes: (codes: readonly string[]) => void };

/** Shows the secret, and asks for a code, so that nobody is locked out by an authenticator that does not work. */
function FirstCode({ totp, onCancel, onCodes }: FirstCodeProps) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || code.trim() === "") return;
    setBusy(true);
    setProblem(null);
    try {
      onCodes(await confirmTotp(client, code));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  const isWrong = hasCode(problem, "forbidden");
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p>{t("security.scan")}</p>
      <QrCode text={totp.uri} label={t("security.qr")} />
      <CopyField label={t("security.secret")} value={totp.secret} copy={t("app.copy")} />
      <TextField
        label={t("signIn.code")}
        hint={t("security.codeHint")}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        isRequired
        value={code}
        onChange={setCode}
        problem={isWrong ? t("security.codeWrong") : null}
      />
      <p className={styles.problem} role="alert">
        {problem !== null && !isWrong ? problemText(t, problem) : null}
      </p>
      <DialogButtons>
        <Button onPress={onCancel}>{t("app.cancel")}</Button>
        <Button type="submit" look="primary" isDisabled={code.trim() === ""}>
          {t("security.turnOn")}
        </Button>
      </DialogButtons>
    </form>
  );
}
