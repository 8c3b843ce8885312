import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { goToProvider, here, methodsQuery } from "~/api/methods";
import { knowsPasskeys, requestPasskey } from "~/api/passkeys";
import { hasCode, problemText } from "~/api/problem";
import { sessionQuery } from "~/api/session";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons, FormDialog } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { identitiesQuery, passkeysQuery, type Security, securityQuery } from "~/security/query";

type Props = { onEnd: (isConfirmed: boolean) => void };

/** Asks who is there: for the account's password again, for one of its passkeys, or at its provider. */
export function ConfirmationDialog({ onEnd }: Props) {
  const { t } = useMessages();
  const { data: security, isPending } = useQuery(securityQuery);
  const { isPending: areMethodsPending } = useQuery(methodsQuery);
  const { isPending: arePasskeysPending } = useQuery(passkeysQuery);
  const { isPending: areIdentitiesPending } = useQuery(identitiesQuery);
  // What is typed would not be taken before it is known what is wanted. Later, what is asked again does not close the dialog.
  const isKnown = !(isPending || areMethodsPending || arePasskeysPending || areIdentitiesPending);
  const [wasKnown, setWasKnown] = useState(false);
  if (isKnown && !wasKnown) setWasKnown(true);
  if (!wasKnown) return null;
  if (security?.hasPassword ?? true) return <PasswordAndOthers security={security} onEnd={onEnd} />;
  return (
    <Dialog title={t("confirmation.title")} onClose={() => onEnd(false)}>
      <p>{t("confirmation.textOther")}</p>
      <OtherWays onEnd={onEnd} />
      <DialogButtons>
        <Button onPress={() => onEnd(false)}>{t("app.cancel")}</Button>
      </DialogButtons>
    </Dialog>
  );
}

/** What shows who is there without a password. */
function OtherWays({ onEnd }: Props) {
  const { t } = useMessages();
  const { data: methods } = useQuery(methodsQuery);
  const { data: passkeys = [] } = useQuery(passkeysQuery);
  const { data: identities = [] } = useQuery(identitiesQuery);
  const [problem, setProblem] = useState<string | null>(null);
  const provider = identities.some(({ issuer }) => issuer.startsWith("http")) ? methods?.provider : null;
  const hasProxy = (methods?.proxy ?? false) && identities.some(({ issuer }) => issuer === "proxy");
  const hasPasskey = passkeys.length > 0 && (methods?.passkeys ?? false) && knowsPasskeys();
  const showPasskey = async () => {
    setProblem(null);
    try {
      const allowed = passkeys.map(({ credentialId }) => credentialId);
      const credential = await requestPasskey({ allowed });
      await answerOf(v2.POST("/api/v2/session/confirm", { body: { credential } }));
      onEnd(true);
    } catch (error) {
      setProblem(error instanceof DOMException ? t("signIn.noPasskey") : problemText(t, error, ["forbidden"]));
    }
  };
  const askProxy = async () => {
    setProblem(null);
    try {
      await answerOf(v2.POST("/api/v2/session/proxy/confirm", { body: {} }));
      onEnd(true);
    } catch (error) {
      setProblem(problemText(t, error, ["forbidden"]));
    }
  };
  return (
    <>
      {hasPasskey && <Button onPress={() => void showPasskey()}>{t("signIn.usePasskey")}</Button>}
      {hasProxy && <Button onPress={() => void askProxy()}>{t("confirmation.proxy")}</Button>}
      {(hasPasskey || hasProxy) && <p role="alert">{problem}</p>}
      {provider && (
        <Button onPress={() => goToProvider({ purpose: "confirm", to: here() })}>
          {t("confirmation.provider", { name: provider.name })}
        </Button>
      )}
    </>
  );
}

type FormProps = Props & { security: Security | undefined };

function PasswordAndOthers({ security, onEnd }: FormProps) {
  const { t } = useMessages();
  const { data: session } = useQuery(sessionQuery);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const needsCode = security?.hasSecondFactor ?? false;
  const confirm = async () => {
    await answerOf(v2.POST("/api/v2/session/confirm", { body: { password, ...(needsCode && { code }) } }));
    onEnd(true);
  };
  const explain = (error: unknown) =>
    hasCode(error, "forbidden") ? t(needsCode ? "confirmation.wrong" : "account.passwordWrong") : problemText(t, error);
  return (
    <FormDialog
      title={t("confirmation.title")}
      submit={t("confirmation.submit")}
      isDisabled={password === "" || (needsCode && code.trim() === "")}
      onSubmit={confirm}
      explain={explain}
      onClose={() => onEnd(false)}
    >
      <p>{t("confirmation.text")}</p>
      <OtherWays onEnd={onEnd} />
      {/* Password managers want to know whose password it is. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={session?.account.userName ?? ""}
        readOnly
        hidden
      />
      <TextField
        label={t("signIn.password")}
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={setPassword}
      />
      {needsCode && (
        <TextField
          label={t("signIn.code")}
          hint={t(security?.totpSince ? "signIn.codeHint" : "signIn.recoveryHint")}
          name="code"
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
        />
      )}
    </FormDialog>
  );
}
