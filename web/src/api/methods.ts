import { queryOptions } from "@tanstack/react-query";
import { at, BASE } from "~/platform/base";
import { answerOf, v2 } from "./client";
import { keys } from "./keys";

/** How people may sign in. */
export const methodsQuery = queryOptions({
  queryKey: keys.signInMethods,
  queryFn: () => answerOf(v2.GET("/api/v2/session/methods")),
  staleTime: Number.POSITIVE_INFINITY,
});

const STARTS = {
  signIn: "/api/v2/session/oidc/start",
  confirm: "/api/v2/session/oidc/confirm",
  link: "/api/v2/account/identities/start",
} as const;

/** What somebody goes to the provider for, and the address within the interface that they come back to. */
export type Trip = { purpose: keyof typeof STARTS; to: string };

/** The tab keeps it while the person is away: the provider's answer does not tell it where the server refuses. */
const TRIP = "coffer.trip";

/** The longest address to come back to that the server takes; escaped, so that its characters are bytes. */
const LONGEST_RETURN = 1024;

/** Where a trip begins, within the server. */
export function startOf({ purpose, to }: Trip, prompt?: "login"): `/${string}` {
  const back = to.length <= LONGEST_RETURN ? to : "/files/";
  return `${STARTS[purpose]}?${new URLSearchParams({ return: back, ...(prompt && { prompt }) })}`;
}

/** Leaves the interface for the provider. With `prompt` it asks again who is there. */
export function goToProvider(trip: Trip, prompt?: "login"): void {
  sessionStorage.setItem(TRIP, JSON.stringify(trip));
  window.location.assign(at(startOf(trip, prompt)));
}

/** The last one of this tab. */
export function lastTrip(): Trip | null {
  const kept = sessionStorage.getItem(TRIP);
  return kept === null ? null : (JSON.parse(kept) as Trip);
}

/** The page that is shown, for coming back to it. */
export function here(): string {
  const { pathname, search } = window.location;
  return (pathname + search).slice(BASE.length);
}
