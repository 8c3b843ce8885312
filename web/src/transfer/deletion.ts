import type { QueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { pagesOf } from "~/api/cursor-list";
import type { Translate } from "~/messages";
import type { Entry } from "~/model/entries";
import { runTask, type Task } from "~/model/tasks";
import { shareAround, sharedWithMeQuery } from "~/sharing/shares";

/** The account into whose bin an entry goes, by its name for people; null for the own one. */
export function ownerOf(client: QueryClient, { path }: Entry): string | null {
  const shares = client.getQueryData(sharedWithMeQuery.queryKey) ?? [];
  return shareAround(shares, path)?.owner.displayName ?? null;
}

/** Says in whose bin they are. */
export function binnedText(t: Translate, entries: readonly Entry[], owner: string | null): string {
  const [only] = entries;
  const count = entries.length;
  if (count === 1 && only) {
    const { name } = only;
    return owner === null ? t("deletion.binnedOne", { name }) : t("deletion.theirsOne", { name, owner });
  }
  return owner === null ? t("deletion.binnedMany", { count }) : t("deletion.theirsMany", { count, owner });
}

/** Brings back what a deletion put into the bin. */
export async function restoreBinned(client: QueryClient, entries: readonly Entry[], deletion: Task): Promise<Task> {
  const sources = await binIdsOf(entries, deletion);
  return runTask(client, { kind: "restore", sources, onConflict: "keepBoth" });
}

/** The identifiers of the items that a deletion put into the bin: the latest ones from the paths of its sources. */
async function binIdsOf(entries: readonly Entry[], deletion: Task): Promise<string[]> {
  const wanted = new Set(entries.map(({ path }) => path));
  const ids: string[] = [];
  for await (const { entries: items } of pagesOf((query) => answerOf(v2.GET("/api/v2/bin", { params: { query } })))) {
    for (const item of items) {
      // The list begins with the latest, so that the first of a path is the one just deleted.
      if (wanted.delete(item.path)) ids.push(item.id);
      if (item.deletedAt < deletion.createdAt) return ids;
    }
    if (wanted.size === 0) break;
  }
  return ids;
}
