import { PasskeyRefused } from "~/api/passkeys";
import { hasCode, Problem, sentenceKey } from "~/api/problem";
import { useMessages } from "~/messages";
import { PersonRefused } from "./by-proxy";

/** Why a sign-in was refused, in words for people. */
export function useSignInProblem(problem: unknown): string | null {
  const { t } = useMessages();
  if (problem === null) return null;
  if (problem instanceof PasskeyRefused) return t("signIn.passkeyRefused");
  if (problem instanceof PersonRefused) return t("provider.refused");
  // What browsers throw where somebody shows no passkey, or turns the question down.
  if (problem instanceof DOMException) return t("signIn.noPasskey");
  if (hasCode(problem, "unauthenticated") || hasCode(problem, "malformed")) return t("signIn.wrong");
  if (problem instanceof Problem && problem.code === "rate_limited" && problem.retryAfterSeconds !== null) {
    return t("signIn.wait", { count: problem.retryAfterSeconds });
  }
  return t(sentenceKey(problem));
}
