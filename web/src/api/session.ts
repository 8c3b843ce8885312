import { type Query, type QueryClient, queryOptions } from "@tanstack/react-query";
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

/** Kept while this browser is not to sign in by itself: its last session was signed out, or ended. */
const ASKS = "coffer.asks-to-sign-in";

/** True if a person has to ask for the next sign-in: otherwise signing out would sign in again at once. */
export function waitsForPerson(): boolean {
  return localStorage.getItem(ASKS) !== null;
}

/** A person has asked. */
export function stopWaitingForPerson(): void {
  localStorage.removeItem(ASKS);
}

/** True if the session ended by itself, until somebody signs in: the sign-in page says so. */
export function sessionHasEnded(): boolean {
  return hasEnded;
}

/** The page of the sign-in may show these already. */
const OF_NO_ACCOUNT: ReadonlySet<unknown> = new Set([keys.session[0], keys.signInMethods[0]]);

/** Sets who is signed in. Drops all cached data, so that no account sees the data of the one before. */
export function replaceSession(client: QueryClient, session: Session | null): void {
  setCsrfToken(session?.csrfToken ?? null);
  if (session) stopWaitingForPerson();
  else if (client.getQueryData(keys.session) != null) localStorage.setItem(ASKS, "1");
  hasEnded = false;
  const cache = client.getQueryCache();
  const known = cache.findAll({ predicate: ({ queryKey }) => !OF_NO_ACCOUNT.has(queryKey[0]) });
  const isStillShown = (query: Query) => session === null && query.isActive();
  for (const query of known) if (!isStillShown(query)) cache.remove(query);
  client.setQueryData(keys.session, session);
  // Pages would ask for what they show again if it went before them, and be answered that nobody is signed in.
  setTimeout(() => {
    for (const query of known) cache.remove(query);
  });
}

/** Forgets a session that the server no longer knows. */
export function endSession(client: QueryClient): void {
  const wasThere = hasEnded || client.getQueryData(keys.session) != null;
  replaceSession(client, null);
  hasEnded = wasThere;
}
