import { queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { fetchAll } from "~/api/cursor-list";
import { keys } from "~/api/keys";
import { problemText } from "~/api/problem";
import type { Translate } from "~/messages";

export type Connector = Schemas["Connector"];
export type Provider = Schemas["DriveProvider"];
export type Option = Schemas["ProviderOption"];

/** The account's connectors, by name. */
export const connectorsQuery = queryOptions({
  queryKey: keys.connectors,
  queryFn: ({ signal }): Promise<Connector[]> =>
    fetchAll((page, signal) => answerOf(v2.GET("/api/v2/connectors", { params: { query: page }, signal })), signal),
});

/** The kinds of drives that the server knows; they change with its program alone. */
export const providersQuery = queryOptions({
  queryKey: keys.providers,
  queryFn: () => answerOf(v2.GET("/api/v2/connectors/providers")),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Why a connector does not work: which server said no, and how, the API tells in an English sentence. */
export function reasonOf(error: unknown, t: Translate): string {
  return problemText(t, error, ["malformed", "unavailable", "timed_out", "forbidden"]);
}
