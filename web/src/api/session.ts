import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { answerOf, type Schemas, setCsrfToken, v2 } from "./client";
import { keys } from "./keys";
import { hasCode } from "./problem";

export type Session = Schemas["Session"];
export type Account = Schemas["Account"];

async function fetchSession(): Promise<Session | null> {
  try {
    const session = await answerOf(v2.GET("/api/v2/session"));
    setCsrfToken(session.csrfToken);
    return session;
  } catch (error) {
    if (hasCode(error, "unauthenticated")) return null;
    throw error;
  }
}

/** The session; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: fetchSession,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Set around the pages of those who are signed in, so that all of them see one account until they go. */
export const AccountContext = createContext<Account | null>(null);

/** The account that is signed in, on pages that only such a one sees. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (!account) throw new Error("there is no session on a page that needs one");
  return account;
}

let hasEnded = false;

/** True if the session ended by itself, until somebody signs in: the sign-in page says so. */
export function sessionHasEnded(): boolean {
  return hasEnded;
}

/** Drops all cached data, so that no account sees the data of the one before. */
function replaceSession(client: QueryClient, session: Session | null): void {
  setCsrfToken(session?.csrfToken ?? null);
  hasEnded = false;
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.session[0] });
  client.setQueryData(keys.session, session);
}

export async function signIn(client: QueryClient, userName: string, password: string): Promise<void> {
  replaceSession(client, await answerOf(v2.POST("/api/v2/session", { body: { userName, password } })));
}

export async function setUp(client: QueryClient, token: string, userName: string, password: string): Promise<void> {
  replaceSession(client, await answerOf(v2.POST("/api/v2/setup", { body: { token, userName, password } })));
}

/** Ends the session, also if the server does not know it any more. */
export async function signOut(client: QueryClient): Promise<void> {
  try {
    await answerOf(v2.DELETE("/api/v2/session"));
  } catch (error) {
    if (!hasCode(error, "unauthenticated")) throw error;
  }
  replaceSession(client, null);
}

/** Forgets a session that the server no longer knows. */
export function endSession(client: QueryClient): void {
  const wasThere = hasEnded || client.getQueryData(keys.session) != null;
  replaceSession(client, null);
  hasEnded = wasThere;
}
