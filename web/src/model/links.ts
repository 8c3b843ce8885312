import { queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";

export type Link = Schemas["Link"];

/** The account's share links, the latest first. */
export const linksQuery = queryOptions({
  queryKey: keys.links,
  queryFn: async () => {
    const links = await answerOf(v2.GET("/api/v2/links"));
    return links.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  },
});
