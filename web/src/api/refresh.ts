import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { keys } from "./keys";

/** The shortest interval between two refreshes of one key. */
const SHORTEST_MS = 500;

type Refresh = { isWanted: boolean };
const underWay = new WeakMap<QueryClient, Map<string, Refresh>>();

/** Looks again at what is shown of a key: now, or once more when that has ended where it is under way. */
export function refreshSoon(client: QueryClient, queryKey: QueryKey): void {
  const known = underWay.get(client) ?? new Map<string, Refresh>();
  underWay.set(client, known);
  const hash = hashKey(queryKey);
  const running = known.get(hash);
  if (running) {
    running.isWanted = true;
    return;
  }
  // A first request that is under way goes on, and what it answers may be older than what has changed.
  const isFirst = client.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0;
  const refresh = { isWanted: isFirst };
  known.set(hash, refresh);
  const end = () => {
    known.delete(hash);
    if (refresh.isWanted) refreshSoon(client, queryKey);
  };
  void client.invalidateQueries({ queryKey }).finally(() => setTimeout(end, SHORTEST_MS));
}

/** Fetches again what a folder and the bin hold, and how full the account is. */
export async function refreshFolder(client: QueryClient, folder: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.folder(folder) }),
    client.invalidateQueries({ queryKey: keys.account }),
    client.invalidateQueries({ queryKey: keys.bin }),
  ]);
}
