import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { parentPath } from "~/model/path";

/** A program has the item open, and keeps others from changing it. */
export type Lock = Schemas["Lock"];

/** With the keys of the folder: what changes it may have ended a lock. */
const keyOf = (path: string) => [...keys.folder(parentPath(path)), "locks", path] as const;

/** Locks come and end without a change of the folder. */
const LOOK_MS = 30_000;

/** The locks that keep an item from being changed: its own, and those of what is above it and in it. */
export function locksQuery(path: string) {
  return queryOptions({
    queryKey: keyOf(path),
    queryFn: async ({ signal }): Promise<Lock[]> =>
      (await answerOf(v2.GET("/api/v2/locks", { params: { query: { path } }, signal }))).entries,
    refetchInterval: LOOK_MS,
  });
}

/** Throws what the server refused. */
export async function endLock(client: QueryClient, path: string, { id }: Lock): Promise<void> {
  try {
    await answerOf(v2.DELETE("/api/v2/locks/{id}", { params: { path: { id } } }));
  } finally {
    await client.invalidateQueries({ queryKey: keyOf(path) });
  }
}
