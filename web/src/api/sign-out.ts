import type { QueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "./client";
import { hasCode } from "./problem";
import { replaceSession } from "./session";

/** Ends the session, also if the server does not know it any more. */
export async function signOut(client: QueryClient): Promise<void> {
  let logoutUrl: string | null = null;
  try {
    ({ logoutUrl } = await answerOf(v2.DELETE("/api/v2/session")));
  } catch (error) {
    if (!hasCode(error, "unauthenticated")) throw error;
  }
  replaceSession(client, null);
  // Otherwise the provider would sign the next one in as the same person.
  if (logoutUrl) window.location.assign(logoutUrl);
}
