import {
  hashKey,
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
} from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";

type CursorPage<Item> = { entries: Item[]; next: string | null };
/** The parameters of one page, besides the request's own. */
type PageQuery = { cursor?: string };

type FetchPage<Item> = (query: PageQuery, signal: AbortSignal) => Promise<CursorPage<Item>>;

export type CursorList<Item> = {
  items: Item[];
  /** True until the first page arrives. */
  isPending: boolean;
  error: unknown;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  reload: () => void;
};

/** A list that the server gives page by page: the first at once, each other when it is asked for. */
export function useCursorList<Item>(queryKey: readonly unknown[], fetchPage: FetchPage<Item>): CursorList<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam === null ? {} : { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage, dataUpdatedAt } = query;
  const list = hashKey(queryKey);
  const [wanted, setWanted] = useState({ list, pages: 1 });
  const count = query.data?.pages.length ?? 0;
  const isWanted = wanted.list === list && wanted.pages > count && hasNextPage && !isError;
  // A refresh takes the place of a page on its way, and is not to be lost either: the page is asked for behind it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refresh that has ended is told by its time alone
  useEffect(() => {
    if (isWanted && !isFetching) void fetchNextPage({ cancelRefetch: false });
  }, [isWanted, isFetching, dataUpdatedAt, fetchNextPage]);
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.entries) ?? [], [query.data]);
  return {
    items,
    isPending: query.isPending,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: isWanted || query.isFetchingNextPage,
    loadMore: () => {
      setWanted({ list, pages: count + 1 });
      if (isError) void fetchNextPage();
    },
    reload: () => void query.refetch(),
  };
}

type WholeList<Item> = { data: Item[] | undefined; isPending: boolean; error: unknown; refetch: () => unknown };

/** A list that the server gives whole, as one of a single page. */
export function wholeList<Item>({ data, isPending, error, refetch }: WholeList<Item>): CursorList<Item> {
  return {
    items: data ?? [],
    isPending,
    error,
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => {},
    reload: () => void refetch(),
  };
}

/** The pages of such a list; each is fetched when the caller asks for it. */
export async function* pagesOf<Page extends CursorPage<unknown>>(
  fetchPage: (query: PageQuery, signal: AbortSignal) => Promise<Page>,
  signal = new AbortController().signal,
): AsyncGenerator<Page> {
  let query: PageQuery = {};
  for (;;) {
    const page = await fetchPage(query, signal);
    yield page;
    if (page.next === null) return;
    query = { cursor: page.next };
  }
}

/** All items of such a list, for a choice among all of them. */
export async function fetchAll<Item>(fetchPage: FetchPage<Item>, signal?: AbortSignal): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { entries } of pagesOf(fetchPage, signal)) items.push(...entries);
  return items;
}

/** Shows a list at once as it will be. The function given back takes that back. */
export function changeList<Item>(
  client: QueryClient,
  queryKey: readonly unknown[],
  change: (items: Item[]) => Item[],
): () => void {
  void client.cancelQueries({ queryKey }, { revert: false, silent: true });
  const before = client.getQueriesData<InfiniteData<CursorPage<Item>>>({ queryKey });
  for (const [key, data] of before) {
    if (!data?.pages) continue;
    const pages = data.pages.map((page) => ({ ...page, entries: change(page.entries) }));
    client.setQueryData(key, { ...data, pages });
  }
  return () => {
    for (const [key, data] of before) client.setQueryData(key, data);
  };
}
