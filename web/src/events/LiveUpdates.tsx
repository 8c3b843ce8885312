import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useParams, useRouterState } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react";
import { keys } from "~/api/keys";
import { lookForServer, useIsReached } from "~/api/reach";
import { refreshSoon } from "~/api/refresh";
import { useAccount } from "~/api/session";
import { follow } from "~/hub/hub";
import type { ServerEvent } from "~/hub/streams";
import type { FolderList } from "~/model/entries";
import { useSharedMarks } from "~/sharing/marks";
import { useDecider, useNewShares } from "~/sharing/new-shares";

/** Where the server tells nothing, a folder of at most so many entries is looked at so often. */
const POLL_MS = 4_000;
const MOST_ENTRIES = 10_000;

/** Keeps what is shown up to date with what others change, as long as the page is seen. */
export function LiveUpdates() {
  const client = useQueryClient();
  const isVisible = useSyncExternalStore(subscribeVisibility, () => document.visibilityState === "visible");
  const isFiles = useRouterState({ select: ({ location }) => location.pathname.startsWith("/files") });
  const { _splat } = useParams({ strict: false });
  const folder = isFiles ? (_splat ?? "").split("/").filter(Boolean).join("/") : null;
  const isReached = useIsReached();
  const { userName } = useAccount();
  useNewShares();
  useDecider(folder);
  useSharedMarks();
  const isCaughtUp = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changed while nothing was followed is to be caught up on
  useEffect(() => {
    isCaughtUp.current = false;
  }, [isVisible, isReached]);
  useEffect(() => {
    if (!isVisible || !isReached) return;
    return followAndRefresh(client, userName, folder, isCaughtUp);
  }, [client, userName, folder, isVisible, isReached]);
  return null;
}

function subscribeVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** `isCaughtUp` is false until all that changed before the events began has been asked for again. */
function followAndRefresh(
  client: QueryClient,
  account: string,
  folder: string | null,
  isCaughtUp: RefObject<boolean>,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const poll = () => {
    if (folder !== null && isSmall(client, folder)) refreshSoon(client, keys.folder(folder));
  };
  const end = follow(account, folder === null ? [] : [folder], {
    onEvent: (event) => refresh(client, event),
    onLive: (isLive) => {
      clearInterval(timer);
      if (!isLive) {
        void lookForServer();
        // The events end with the session too, and then this page has to go.
        refreshSoon(client, keys.account);
      }
      // Changes between the listing and the begin of the events would be missed: the folder is listed again.
      if (isLive && folder !== null) refreshSoon(client, keys.folder(folder));
      if (isLive && !isCaughtUp.current) for (const key of [keys.locations, keys.sharing]) refreshSoon(client, key);
      isCaughtUp.current = isLive;
      if (!isLive) timer = setInterval(poll, POLL_MS);
    },
  });
  return () => {
    clearInterval(timer);
    end();
  };
}

function isSmall(client: QueryClient, folder: string): boolean {
  const queryKey = [...keys.folder(folder), "pages"];
  const all = client.getQueriesData<FolderList>({ queryKey, type: "active" });
  return all.length > 0 && all.every(([, data]) => (data?.entries.length ?? 0) <= MOST_ENTRIES);
}

/** What an account has besides its folders and tasks. */
const OF_ACCOUNT = [keys.account, keys.locations, keys.bin, keys.sharing];

function refresh(client: QueryClient, event: ServerEvent): void {
  switch (event.kind) {
    case "folder":
      refreshSoon(client, keys.folder(event.path));
      return;
    case "task":
      refreshSoon(client, keys.tasks);
      return;
    case "account":
      for (const key of OF_ACCOUNT) refreshSoon(client, key);
      return;
    case "shared":
    case "unshared":
      for (const key of [keys.sharing, keys.locations]) refreshSoon(client, key);
      return;
    case "resync":
      for (const key of [keys.folders, keys.tasks, ...OF_ACCOUNT]) refreshSoon(client, key);
  }
}
