import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";

/** What changes all the time is looked at so often, and no more often. */
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
  const refresh = { isWanted: false };
  known.set(hash, refresh);
  const end = () => {
    known.delete(hash);
    if (refresh.isWanted) refreshSoon(client, queryKey);
  };
  void client.invalidateQueries({ queryKey }).finally(() => setTimeout(end, SHORTEST_MS));
}
