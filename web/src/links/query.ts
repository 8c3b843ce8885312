import { type QueryClient, queryOptions } from "@tanstack/react-query";
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

/** Where guests go; null where it cannot be told any more. */
export function addressOf({ token }: Pick<Link, "token">): string | null {
  return token === null ? null : `${window.location.origin}/s/${token}`;
}

/** It opens nothing from then on, which shows at once; what the server refused is thrown, and it stands there again. */
export async function endLink(client: QueryClient, id: string): Promise<void> {
  await client.cancelQueries({ queryKey: keys.links });
  const before = client.getQueryData<Link[]>(keys.links);
  client.setQueryData<Link[]>(keys.links, (links) => links?.filter((link) => link.id !== id));
  try {
    await answerOf(v2.DELETE("/api/v2/links/{id}", { params: { path: { id } } }));
  } catch (error) {
    client.setQueryData(keys.links, before);
    throw error;
  }
  await client.invalidateQueries({ queryKey: keys.links });
}
