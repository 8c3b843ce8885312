import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, Problem, sentenceKey } from "~/api/problem";
import { sessionHasEnded, sessionQuery, signIn } from "~/api/session";
import { Button } from "~/controls/Button";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { BASE } from "~/platform/base";
import { FormCard, FormProblem } from "./FormCard";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  const { to = "/files/" } = route.useSearch();
  const { data: session } = useQuery(sessionQuery);
  const router = useRouter();
  useEffect(() => {
    if (session) router.history.replace(BASE + to);
  }, [session, router, to]);
  return session ? null : <SignInForm />;
}

function SignInForm() {
  const { t } = useMessages();
  const client = useQueryClient();
  const [userName, setUserName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const { data: setup } = useQuery({
    queryKey: keys.setup,
    queryFn: () => answerOf(v2.GET("/api/v2/setup")),
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await signIn(client, userName, password);
    } catch (error) {
      setProblem(error);
      setPassword("");
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormCard title={t("signIn.title")} onSubmit={submit}>
      {sessionHasEnded() && <p role="status">{t("signIn.ended")}</p>}
      {setup?.open && <p>{t("signIn.setUpFirst")}</p>}
      <TextField
        label={t("signIn.userName")}
        name="username"
        autoComplete="username"
        autoFocus
        isRequired
        value={userName}
        onChange={setUserName}
      />
      <TextField
        label={t("signIn.password")}
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        value={password}
        onChange={setPassword}
      />
      <FormProblem text={useSignInProblem(problem)} />
      <Button type="submit" look="primary">
        {t("signIn.submit")}
      </Button>
    </FormCard>
  );
}

/** The error, in words for people. */
function useSignInProblem(problem: unknown): string | null {
  const { t } = useMessages();
  if (problem === null) return null;
  if (hasCode(problem, "unauthenticated") || hasCode(problem, "malformed")) return t("signIn.wrong");
  if (problem instanceof Problem && problem.code === "rate_limited" && problem.retryAfterSeconds !== null) {
    return t("signIn.wait", { count: problem.retryAfterSeconds });
  }
  return t(sentenceKey(problem));
}
