import { queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";

export type Connector = Schemas["Connector"];
export type Provider = Schemas["DriveProvider"];
export type Option = Schemas["ProviderOption"];

const PAGE = 100;

/** The account's connectors, by name. */
export const connectorsQuery = queryOptions({
  queryKey: keys.connectors,
  queryFn: async ({ signal }): Promise<Connector[]> => {
    const all: Connector[] = [];
    let cursor: string | null = null;
    do {
      const query = { limit: PAGE, ...(cursor !== null && { cursor }) };
      const page: { entries: Connector[]; next: string | null } = await answerOf(
        v2.GET("/api/v2/connectors", { params: { query }, signal }),
      );
      all.push(...page.entries);
      cursor = page.next;
    } while (cursor !== null);
    return all;
  },
});

/** The kinds of drives that the server knows; they change with its program alone. */
export const providersQuery = queryOptions({
  queryKey: keys.providers,
  queryFn: () => answerOf(v2.GET("/api/v2/connectors/providers")),
  staleTime: Number.POSITIVE_INFINITY,
});
