import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import type { FolderOrder } from "~/api/keys";
import { Problem } from "~/api/problem";
import { useMessages } from "~/messages";
import type { Entry } from "~/model/entries";
import { folded } from "~/model/folding";
import { locationOf, locationsQuery } from "~/model/locations";
import { pendingChanges, withChanges } from "~/model/pending-changes";
import type { Found } from "~/search/found";
import { orderedBy } from "./entry-order";
import { FileCollection } from "./FileCollection";
import { folderQuery } from "./folder-query";

export type Folder = {
  entries: Entry[];
  hasBin: boolean;
  /** What files in it were before they were replaced is kept. */
  hasVersions: boolean;
  /** How many of its items cannot be shown. */
  leftOut: number;
  /** True until the folder's first page arrives. */
  isPending: boolean;
  /** All of it has come. */
  isComplete: boolean;
  /** It is listed, perhaps anew. */
  isLoading: boolean;
  error: unknown;
  reload: () => void;
  /** All entries, also when the page of the folder has gone. */
  loadAll: () => Promise<Entry[]>;
};

const GONE = new Problem("not_found", "The location is not there any more.");

/** A folder's entries: the first page at once, the others behind it until all are there. */
export function useFolder(path: string, order: FolderOrder): Folder {
  const client = useQueryClient();
  const query = useQuery({
    ...folderQuery(path, order),
    // The order before is shown until another has come. Another folder has a component of its own (FilesPage).
    placeholderData: keepPreviousData,
  });
  const { data, dataUpdatedAt, isFetching } = query;
  // A share or connector that was taken away meanwhile is gone with all that is still known of it. One that was added is
  // listed before it stands among the locations that are known.
  const { data: locations, dataUpdatedAt: locationsUpdatedAt } = useQuery(locationsQuery);
  const isUnknown = locations !== undefined && locationOf(locations, path) === undefined;
  const isGone = isUnknown && !isFetching && locationsUpdatedAt >= dataUpdatedAt;
  const changes = pendingChanges.use();
  const entries = useMemo(
    () => (isGone ? [] : withChanges(changes, path, data?.entries ?? [])),
    [data, isGone, changes, path],
  );
  return {
    entries,
    hasBin: data?.hasBin ?? false,
    hasVersions: data?.hasVersions ?? false,
    leftOut: data?.leftOut ?? 0,
    isPending: query.isPending && !isGone,
    isComplete: data?.isWhole ?? false,
    isLoading: isFetching,
    error: isGone ? GONE : query.error,
    reload: () => void query.refetch(),
    loadAll: async () => (await client.fetchQuery(folderQuery(path, order))).entries,
  };
}

/** The entries whose names hold what stands in the search box, and behind them what was found elsewhere. */
export function useShownEntries(
  { entries, isComplete, isLoading, error }: Folder,
  filter: string,
  found: Found,
  { sort, order }: FolderOrder,
): FileCollection {
  const { formats } = useMessages();
  const wanted = useDeferredValue(filter.trim());
  // An error of a look before does not keep the rest from coming.
  const failure = isComplete || isLoading ? null : error;
  return useMemo(() => {
    if (wanted === "") return new FileCollection(entries, isComplete, failure);
    const part = folded(wanted);
    const here = entries.filter(({ name }) => folded(name).includes(part));
    const paths = new Set(here.map(({ path }) => path));
    const elsewhere = found.entries.filter(({ path }) => !paths.has(path));
    const all = [...here, ...elsewhere.sort(orderedBy(formats.collator, { sort, order }))];
    const isWhole = isComplete && !found.isRunning && found.error === null;
    return new FileCollection(all, isWhole, found.error ?? failure);
  }, [entries, isComplete, failure, wanted, found, sort, order, formats]);
}
