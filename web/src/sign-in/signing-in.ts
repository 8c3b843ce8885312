import type { QueryClient } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { PasskeyRefused, requestPasskey } from "~/api/passkeys";
import { hasCode } from "~/api/problem";
import { replaceSession } from "~/api/session";

export type Challenge = Schemas["SecondFactorWanted"];

/** Signs in, or returns what is asked for besides: the password is not enough. */
export async function signIn(client: QueryClient, userName: string, password: string): Promise<Challenge | null> {
  const answer = await answerOf(v2.POST("/api/v2/session", { body: { userName, password } }));
  if ("challenge" in answer) return answer;
  replaceSession(client, answer);
  return null;
}

/** The second step, with a code. */
export async function completeSignIn(client: QueryClient, challenge: string, code: string): Promise<void> {
  replaceSession(client, await answerOf(v2.POST("/api/v2/session/second-factor", { body: { challenge, code } })));
}

export async function setUp(client: QueryClient, token: string, userName: string, password: string): Promise<void> {
  replaceSession(client, await answerOf(v2.POST("/api/v2/setup", { body: { token, userName, password } })));
}

/** Signs in with a passkey, which the person chooses; with `challenge`, one of the account that showed its password. */
export async function signInWithPasskey(
  client: QueryClient,
  { challenge, signal, isSilent = false }: { challenge?: string; signal?: AbortSignal; isSilent?: boolean } = {},
): Promise<void> {
  const credential = await requestPasskey({ challenge, signal, isSilent });
  try {
    replaceSession(client, await answerOf(v2.POST("/api/v2/session/passkey", { body: { credential } })));
  } catch (error) {
    throw hasCode(error, "unauthenticated") ? new PasskeyRefused() : error;
  }
}
