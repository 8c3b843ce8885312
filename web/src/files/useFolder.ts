import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { FolderOrder } from "~/api/keys";
import { Problem } from "~/api/problem";
import { locationOf, locationsQuery } from "~/locations";
import type { Entry } from "./entries";
import { folderQuery } from "./folder-query";

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

const GONE = new Problem("not_found", "The location is not there any more.");

/** A folder's entries: the first page at once, the others behind it until all are there. */
export function useFolder(path: string, order: FolderOrder): Folder {
  const query = useInfiniteQuery({
    ...folderQuery(path, order),
    // Another order of the same folder is shown in the place of the last until it is there.
    placeholderData: (previous, previousQuery) =>
      previousQuery?.queryKey[1] === path ? keepPreviousData(previous) : undefined,
  });
  const {
    data,
    dataUpdatedAt,
    isFetching,
    hasNextPage,
    isFetchingNextPage,
    isPlaceholderData,
    fetchNextPage,
    isError,
  } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isPlaceholderData && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isPlaceholderData, isError, fetchNextPage]);
  // A share or connector that was taken away meanwhile is gone with all that is still known of it. One that was added is
  // listed before it stands among the locations that are known.
  const { data: locations, dataUpdatedAt: locationsUpdatedAt } = useQuery(locationsQuery);
  const isUnknown = locations !== undefined && locationOf(locations, path) === undefined;
  const isGone = isUnknown && !isFetching && locationsUpdatedAt >= dataUpdatedAt;
  const entries = useMemo(() => (isGone ? [] : (data?.pages.flatMap((page) => page.entries) ?? [])), [data, isGone]);
  return {
    entries,
    hasBin: data?.pages[0]?.hasBin ?? false,
    isPending: query.isPending && !isGone,
    isComplete: !hasNextPage && !query.isPending,
    isPrevious: isPlaceholderData,
    error: isGone ? GONE : query.error,
    reload: () => void query.refetch(),
  };
}
