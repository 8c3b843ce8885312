import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./problem";

const MOST_RETRIES = 2;

/** A server that wants to be left alone for longer has answered. */
const LONGEST_WAIT_S = 10;

/** When to ask a busy server again. All else is an answer; one that is away is asked again when it is back. */
function secondsToWait(error: unknown): number | null {
  const isBusy = error instanceof Problem && (error.status === 429 || error.status === 503);
  const seconds = isBusy ? (error.retryAfterSeconds ?? 1) : null;
  return seconds !== null && seconds <= LONGEST_WAIT_S ? seconds : null;
}

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < MOST_RETRIES && secondsToWait(error) !== null,
        retryDelay: (_, error) => (secondsToWait(error) ?? 0) * 1000,
        // A server on this network is reached where the internet is not.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
