import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, Problem, sentenceKey } from "~/api/problem";
import { useAccount } from "~/api/session";
import { Button } from "~/controls/Button";
import { TextField } from "~/controls/TextField";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import styles from "./Form.module.css";
import { passwordProblem } from "./password";

type Refusal = { field: "current" | "wanted" | "form"; text: string };

/** Another password, which ends the other sessions. */
export function PasswordForm() {
  const { t } = useMessages();
  const client = useQueryClient();
  const { userName } = useAccount();
  const [current, setCurrent] = useState("");
  const [wanted, setWanted] = useState("");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const refused = (field: Refusal["field"]) => (refusal?.field === field ? refusal.text : null);
  const refusalOf = (error: unknown): Refusal => {
    if (hasCode(error, "forbidden")) return { field: "current", text: t("account.passwordWrong") };
    if (hasCode(error, "malformed")) return { field: "wanted", text: t("account.passwordShort") };
    if (error instanceof Problem && error.code === "rate_limited" && error.retryAfterSeconds !== null) {
      return { field: "form", text: t("signIn.wait", { count: error.retryAfterSeconds }) };
    }
    return { field: "form", text: t(sentenceKey(error)) };
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (current === "") return setRefusal({ field: "current", text: t("account.passwordMissing") });
    const wrong = passwordProblem(wanted);
    if (wrong) return setRefusal({ field: "wanted", text: t(wrong) });
    setBusy(true);
    setRefusal(null);
    try {
      await answerOf(v2.POST("/api/v2/account/password", { body: { current, new: wanted } }));
      setCurrent("");
      setWanted("");
      showToast({ text: t("account.passwordChanged") });
      await client.invalidateQueries({ queryKey: keys.sessions });
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {/* Password managers want to know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={userName} readOnly hidden />
      <TextField
        label={t("account.currentPassword")}
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        problem={refused("current")}
      />
      <TextField
        label={t("account.newPassword")}
        hint={t("setUp.passwordHint")}
        type="password"
        autoComplete="new-password"
        value={wanted}
        onChange={setWanted}
        problem={refused("wanted")}
      />
      <p className={styles.problem} role="alert">
        {refused("form")}
      </p>
      <Button type="submit">{t("account.changePassword")}</Button>
    </form>
  );
}
