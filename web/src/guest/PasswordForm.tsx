import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, Problem, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { TextField } from "~/controls/TextField";
import { type Translate, useMessages } from "~/messages";
import { FormCard, FormProblem } from "~/sign-in";
import { guestApi } from "./api";

/** Asks for the password of a link. */
export function PasswordForm({ token }: { token: string }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      const params = { path: { token } };
      await answerOf(guestApi.POST("/api/v2/guest/{token}/session", { params, body: { password } }));
      await client.invalidateQueries({ queryKey: keys.guest(token) });
    } catch (error) {
      setProblem(error);
      setPassword("");
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormCard title={t("guest.protected")} onSubmit={(event) => void submit(event)}>
      <p>{t("guest.protectedHint")}</p>
      <TextField
        label={t("signIn.password")}
        type="password"
        autoComplete="off"
        autoFocus
        isRequired
        value={password}
        onChange={setPassword}
      />
      <FormProblem text={problem === null ? null : problemText(t, problem)} />
      <Button type="submit" look="primary">
        {t("guest.open")}
      </Button>
    </FormCard>
  );
}

function problemText(t: Translate, problem: unknown): string {
  const isWrong = ["unauthenticated", "malformed", "forbidden"] as const;
  if (isWrong.some((code) => hasCode(problem, code))) return t("guest.wrongPassword");
  if (problem instanceof Problem && problem.code === "rate_limited" && problem.retryAfterSeconds !== null) {
    return t("signIn.wait", { count: problem.retryAfterSeconds });
  }
  return t(sentenceKey(problem));
}
