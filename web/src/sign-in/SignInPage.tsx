import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { goToProvider, methodsQuery } from "~/api/methods";
import { fillsInPasskeys, knowsPasskeys, PasskeyRefused } from "~/api/passkeys";
import { sessionHasEnded, sessionQuery } from "~/api/session";
import { Button } from "~/controls/Button";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { BASE } from "~/platform/base";
import { askProxy, useProxySignIn } from "./by-proxy";
import { FactorNeeded } from "./FactorNeeded";
import { FormCard, FormProblem } from "./FormCard";
import { useSignInProblem } from "./problems";
import { SecondStep } from "./SecondStep";
import { type Challenge, signIn, signInWithPasskey } from "./signing-in";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  const { to = "/files/" } = route.useSearch();
  const { data: session } = useQuery(sessionQuery);
  const router = useRouter();
  useEffect(() => {
    if (session && !session.needsSecondFactor) router.history.replace(BASE + to);
  }, [session, router, to]);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  if (session?.needsSecondFactor) return <FactorNeeded />;
  if (session) return null;
  if (challenge !== null) return <SecondStep challenge={challenge} onBack={() => setChallenge(null)} />;
  return <SignInForm to={to} onChallenge={setChallenge} />;
}

type SignInFormProps = { to: string; onChallenge: (challenge: Challenge) => void };

/** So long the answer to a request for a passkey may take, and somewhat less than the server waits. */
const ASKED_ANEW_MS = 240_000;

/** Offers passkeys among the names that the browser fills in, while the page is open. What it returns ends that. */
function useOfferedPasskeys(isOffered: boolean, onProblem: (problem: unknown) => void): () => void {
  const client = useQueryClient();
  const [stopping] = useState(() => new AbortController());
  useEffect(() => {
    if (!isOffered) return;
    let current = new AbortController();
    const offer = async () => {
      if (!(await fillsInPasskeys())) return;
      while (!stopping.signal.aborted && !current.signal.aborted) {
        const asked = current;
        const anew = setTimeout(() => asked.abort("anew"), ASKED_ANEW_MS);
        try {
          await signInWithPasskey(client, { signal: asked.signal, isSilent: true });
          return;
        } catch (problem) {
          // Nobody asked for anything else that may have failed.
          if (problem instanceof PasskeyRefused) onProblem(problem);
          if (asked.signal.reason !== "anew") return;
          current = new AbortController();
        } finally {
          clearTimeout(anew);
        }
      }
    };
    const stop = () => current.abort("stopped");
    stopping.signal.addEventListener("abort", stop);
    void offer();
    return () => {
      stopping.signal.removeEventListener("abort", stop);
      stop();
    };
  }, [client, isOffered, onProblem, stopping]);
  return () => stopping.abort();
}

function SignInForm({ to, onChallenge }: SignInFormProps) {
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
  const { data: methods } = useQuery(methodsQuery);
  const hasPasskeys = (methods?.passkeys ?? false) && knowsPasskeys();
  const stopOffering = useOfferedPasskeys(hasPasskeys, setProblem);
  useProxySignIn(methods?.proxy ?? false, setProblem);
  const trying = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setProblem(error);
      setPassword("");
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void trying(async () => {
      const challenge = await signIn(client, userName, password);
      if (challenge !== null) onChallenge(challenge);
    });
  };
  const showPasskey = () => {
    // A browser asks for one at a time.
    stopOffering();
    void trying(() => signInWithPasskey(client));
  };
  // Until it is known, the form is there: it is what most people want.
  const takesPasswords = methods?.password ?? true;
  const problemText = useSignInProblem(problem);
  return (
    <FormCard title={t("signIn.title")} onSubmit={submit}>
      {sessionHasEnded() && <p role="status">{t("signIn.ended")}</p>}
      {setup?.open && <p>{t("signIn.setUpFirst")}</p>}
      {takesPasswords && (
        <>
          <TextField
            label={t("signIn.userName")}
            name="username"
            autoComplete="username webauthn"
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
        </>
      )}
      <FormProblem text={problemText} />
      {takesPasswords && (
        <Button type="submit" look="primary">
          {t("signIn.submit")}
        </Button>
      )}
      {hasPasskeys && <Button onPress={showPasskey}>{t("signIn.withPasskey")}</Button>}
      {methods?.proxy && (
        <Button onPress={() => void trying(() => askProxy(client, to))}>{t("signIn.withProxy")}</Button>
      )}
      {methods?.provider && (
        <Button onPress={() => goToProvider({ purpose: "signIn", to })}>
          {t("signIn.withProvider", { name: methods.provider.name })}
        </Button>
      )}
    </FormCard>
  );
}
