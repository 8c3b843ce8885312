import { answerOf, v2 } from "~/api/client";
import type { Task } from "~/tasks";
import type { Entry } from "./entries";

/** What a deletion put into the bin, by identifier: the latest items that were where its sources were. */
export async function binIdsOf(entries: readonly Entry[], deletion: Task): Promise<string[]> {
  const wanted = new Set(entries.map(({ path }) => path));
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const query: { cursor?: string } = cursor === null ? {} : { cursor };
    const page: { entries: { id: string; path: string; deletedAt: string }[]; next: string | null } = await answerOf(
      v2.GET("/api/v2/bin", { params: { query } }),
    );
    for (const item of page.entries) {
      // The list begins with the latest, so that the first of a path is the one just deleted.
      if (wanted.delete(item.path)) ids.push(item.id);
      if (item.deletedAt < deletion.createdAt) return ids;
    }
    cursor = page.next;
  } while (cursor !== null && wanted.size > 0);
  return ids;
}
