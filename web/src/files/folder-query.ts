import { queryOptions, replaceEqualDeep } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { pagesOf } from "~/api/cursor-list";
import { type FolderOrder, keys } from "~/api/keys";
import { shownLanguage } from "~/messages";
import type { FolderList } from "~/model/entries";

/** The first page is short, so that it is there soon; the rest comes in the longest there are. */
const FIRST_PAGE = 200;
const FURTHER_PAGE = 10_000;

/** Keeps unchanged data, so that it is not rendered again. To compare 100,000 entries takes longer than to show them. */
function keepEqual(before: unknown, now: unknown): unknown {
  return Math.max(lengthOf(before), lengthOf(now)) > FIRST_PAGE ? now : replaceEqualDeep(before, now);
}

function lengthOf(data: unknown): number {
  return (data as FolderList | undefined)?.entries.length ?? 0;
}

/** All of a folder, in the order of the language that is shown: a look that is cancelled is replaced by one that begins anew, so that none ends on the way. */
export function folderQuery(path: string, order: FolderOrder) {
  const wanted = { ...order, language: shownLanguage() };
  const queryKey = keys.folderPages(path, wanted);
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<FolderList> => {
      let list: FolderList = { entries: [], hasBin: false, hasVersions: false, leftOut: 0, isWhole: false };
      const pages = pagesOf((page) => {
        const query = { path, ...wanted, limit: page.cursor === undefined ? FIRST_PAGE : FURTHER_PAGE, ...page };
        return answerOf(v2.GET("/api/v2/files", { params: { query }, signal }));
      });
      for await (const { entries, next, hasBin, hasVersions, leftOut } of pages) {
        signal.throwIfAborted();
        list = { entries: [...list.entries, ...entries], hasBin, hasVersions, leftOut, isWhole: next === null };
        const shown = client.getQueryData<FolderList>(queryKey);
        // The first look shows each page as it comes, the whole takes the place of a whole. A part never counts as fresh.
        if (!list.isWhole && !shown?.isWhole && list.entries.length > lengthOf(shown)) {
          client.setQueryData(queryKey, list, { updatedAt: 0 });
        }
      }
      return list;
    },
    structuralSharing: keepEqual,
  });
}
