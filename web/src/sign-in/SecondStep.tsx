import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { knowsPasskeys } from "~/api/passkeys";
import { hasCode } from "~/api/problem";
import { Button } from "~/controls/Button";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { FormCard, FormProblem } from "./FormCard";
import { useSignInProblem } from "./problems";
import { type Challenge, completeSignIn, signInWithPasskey } from "./signing-in";

type Props = { challenge: Challenge; onBack: () => void };

/** Asks for what an account wants besides its password: a passkey, or a code. */
export function SecondStep({ challenge, onBack }: Props) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const text = useSignInProblem(problem);
  const trying = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(error);
      setCode("");
    } finally {
      setBusy(false);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== "") await trying(() => completeSignIn(client, challenge.challenge, code));
  };
  const showPasskey = () => trying(() => signInWithPasskey(client, { challenge: challenge.challenge }));
  const asks = (factor: string) => challenge.secondFactor.includes(factor);
  return (
    <FormCard title={t("signIn.secondStep")} onSubmit={(event) => void submit(event)}>
      {asks("passkey") && knowsPasskeys() && (
        <Button look="primary" onPress={() => void showPasskey()}>
          {t("signIn.usePasskey")}
        </Button>
      )}
      <TextField
        label={t("signIn.code")}
        hint={t(asks("totp") ? "signIn.codeHint" : "signIn.recoveryHint")}
        name="code"
        autoComplete="one-time-code"
        autoFocus
        isRequired
        value={code}
        onChange={setCode}
      />
      <FormProblem text={hasCode(problem, "unauthenticated") ? t("signIn.codeWrong") : text} />
      <Button type="submit" look="primary">
        {t("signIn.submit")}
      </Button>
      <Button onPress={onBack}>{t("signIn.back")}</Button>
    </FormCard>
  );
}
