import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { answerOf, v2 } from "~/api/client";
import { hasCode } from "~/api/problem";
import { replaceSession, stopWaitingForPerson, waitsForPerson } from "~/api/session";
import { at } from "~/platform/base";

/** Thrown where the person whom the proxy names may not sign in. */
export class PersonRefused extends Error {}

async function signInByProxy(client: QueryClient): Promise<void> {
  try {
    replaceSession(client, await answerOf(v2.POST("/api/v2/session/proxy", { body: {} })));
  } catch (problem) {
    throw hasCode(problem, "forbidden") ? new PersonRefused() : problem;
  }
}

/** Once for each time that the page is loaded, so that nothing goes round in a loop. */
let hasTried = false;

/** Signs in by the proxy, if there is one, without being asked: unless this browser signed out last. */
export function useProxySignIn(isOffered: boolean, onProblem: (problem: unknown) => void): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isOffered || hasTried || waitsForPerson()) return;
    hasTried = true;
    // Where the proxy says nothing, or wants to be asked by a page, the button is what helps.
    signInByProxy(client).catch((problem) => problem instanceof PersonRefused && onProblem(problem));
  }, [client, isOffered, onProblem]);
}

/** Signs in by the proxy, for a person who asks for it; if need be by a page that is loaded anew, so that it can lead to its login. */
export async function askProxy(client: QueryClient, to: string): Promise<void> {
  try {
    await signInByProxy(client);
  } catch (problem) {
    if (problem instanceof PersonRefused || hasCode(problem, "malformed")) throw problem;
    stopWaitingForPerson();
    window.location.assign(at(`/sign-in?${new URLSearchParams({ to })}`));
  }
}
