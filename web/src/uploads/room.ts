import type { QueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { locationOf, locationsQuery } from "~/locations";

/** How much more fits into the account's own storage; null where there is no limit, or it lies elsewhere. */
export async function roomIn(client: QueryClient, destination: string): Promise<number | null> {
  const locations = await client.fetchQuery(locationsQuery);
  if (locationOf(locations, destination)?.kind !== "own") return null;
  const { storageUsed, storageLimit } = await answerOf(v2.GET("/api/v2/account"));
  return storageLimit === 0 ? null : storageLimit - storageUsed;
}

/** What the bin holds gives way where room is needed. */
export async function bytesInBin(): Promise<number> {
  let bytes = 0;
  let cursor: string | null = null;
  do {
    const query = cursor === null ? {} : { cursor };
    const page: { entries: { size: number | null }[]; next: string | null } = await answerOf(
      v2.GET("/api/v2/bin", { params: { query } }),
    );
    for (const { size } of page.entries) bytes += size ?? 0;
    cursor = page.next;
  } while (cursor !== null);
  return bytes;
}
