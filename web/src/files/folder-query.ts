import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { answerOf, v2 } from "~/api/client";
import { type FolderOrder, keys } from "~/api/keys";
import type { Entry, FolderPage } from "./entries";

/** The first page is short, so that it is there soon; the rest comes in the longest there are. */
const FIRST_PAGE = 200;
const FURTHER_PAGE = 10_000;

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
    // Comparing 100,000 entries with what was there takes longer than showing them.
    structuralSharing: false,
  });
}

export type Folder = {
  entries: Entry[];
  hasBin: boolean;
  /** Nothing has come of this folder yet. */
  isPending: boolean;
  /** All of it has come. */
  isComplete: boolean;
  /** What is shown is of the folder, or order, before. */
  isPrevious: boolean;
  error: unknown;
  reload: () => void;
};

/** A folder's entries: the first page at once, the others behind it until all are there. */
export function useFolder(path: string, order: FolderOrder): Folder {
  const query = useInfiniteQuery({
    ...folderQuery(path, order),
    // Another order of the same folder is shown in the place of the last until it is there.
    placeholderData: (previous, previousQuery) =>
      previousQuery?.queryKey[1] === path ? keepPreviousData(previous) : undefined,
  });
  const { data, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage, isError } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isPlaceholderData && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isPlaceholderData, isError, fetchNextPage]);
  const entries = useMemo(() => data?.pages.flatMap((page) => page.entries) ?? [], [data]);
  return {
    entries,
    hasBin: data?.pages[0]?.hasBin ?? false,
    isPending: query.isPending,
    isComplete: !hasNextPage && !query.isPending,
    isPrevious: isPlaceholderData,
    error: query.error,
    reload: () => void query.refetch(),
  };
}
