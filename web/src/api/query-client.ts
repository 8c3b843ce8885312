import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./problem";

const MOST_TRIES = 3;

/** True for an error that a retry may remove: the server was not reached or not able to answer. */
function mayPass(error: unknown): boolean {
  return error instanceof Problem && (error.code === "offline" || error.status >= 500);
}

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < MOST_TRIES && mayPass(error),
        // A server on this network is reached where the internet is not.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
