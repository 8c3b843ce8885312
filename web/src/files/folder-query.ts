import { type InfiniteData, infiniteQueryOptions, replaceEqualDeep } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { type FolderOrder, keys } from "~/api/keys";
import type { FolderPage } from "~/model/entries";

/** The first page is short, so that it is there soon; the rest comes in the longest there are. */
const FIRST_PAGE = 200;
const FURTHER_PAGE = 10_000;

/** Keeps unchanged data, so that it is not rendered again. To compare 100,000 entries takes longer than to show them. */
function keepEqual(before: unknown, now: unknown): unknown {
  return pagesIn(now) > 1 || pagesIn(before) > 1 ? now : replaceEqualDeep(before, now);
}

function pagesIn(data: unknown): number {
  return (data as InfiniteData<FolderPage> | undefined)?.pages.length ?? 0;
}

export function folderQuery(path: string, order: FolderOrder) {
  return infiniteQueryOptions({
    queryKey: keys.folderPages(path, order),
    queryFn: ({ pageParam, signal }): Promise<FolderPage> =>
      answerOf(
        v2.GET("/api/v2/files", {
          params: {
            query: {
              path,
              ...order,
              limit: pageParam === null ? FIRST_PAGE : FURTHER_PAGE,
              ...(pageParam !== null && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    structuralSharing: keepEqual,
  });
}
