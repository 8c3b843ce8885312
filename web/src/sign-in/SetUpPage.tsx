import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, problemText } from "~/api/problem";
import { Button } from "~/controls/Button";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { FormCard, FormProblem } from "./FormCard";
import { setUp } from "./signing-in";

/** Makes the first account. Its secret stands behind the link's `#`, which no server and no log gets to see. */
export function SetUpPage() {
  const { t } = useMessages();
  const token = useLocation({ select: (location) => location.hash });
  const { data: setup } = useQuery({
    queryKey: keys.setup,
    queryFn: () => answerOf(v2.GET("/api/v2/setup")),
  });
  if (setup && !setup.open) return <Ended text={t("setUp.closed")} />;
  if (token === "") return <Ended text={t("setUp.noToken")} />;
  return <SetUpForm token={token} />;
}

function Ended({ text }: { text: string }) {
  const { t } = useMessages();
  return (
    <FormCard title={t("setUp.title")} onSubmit={(event) => event.preventDefault()}>
      <p>{text}</p>
      <Link to="/sign-in">{t("setUp.toSignIn")}</Link>
    </FormCard>
  );
}

function SetUpForm({ token }: { token: string }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const router = useRouter();
  const [userName, setUserName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await setUp(client, token, userName, password);
      await router.navigate({ to: "/files/", replace: true });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormCard title={t("setUp.title")} onSubmit={submit}>
      <p>{t("setUp.intro")}</p>
      <TextField
        label={t("signIn.userName")}
        name="username"
        hint={t("setUp.userNameHint")}
        autoComplete="username"
        autoFocus
        isRequired
        value={userName}
        onChange={setUserName}
      />
      <TextField
        label={t("signIn.password")}
        name="password"
        hint={t("setUp.passwordHint")}
        type="password"
        autoComplete="new-password"
        isRequired
        value={password}
        onChange={setPassword}
      />
      <FormProblem text={useSetUpProblem(problem)} />
      <Button type="submit" look="primary">
        {t("setUp.submit")}
      </Button>
    </FormCard>
  );
}

function useSetUpProblem(problem: unknown): string | null {
  const { t } = useMessages();
  if (problem === null) return null;
  if (hasCode(problem, "unauthenticated") || hasCode(problem, "forbidden")) return t("setUp.refused");
  return problemText(t, problem);
}
