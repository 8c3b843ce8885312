import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useParams, useRouterState } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { keys } from "~/api/keys";
import { lookForServer, useIsReached } from "~/api/reach";
import { refreshSoon } from "~/api/refresh";
import { useAccount } from "~/api/session";
import { follow } from "~/hub/hub";
import type { ServerEvent } from "~/hub/streams";
import type { FolderList } from "~/model/entries";

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
  useEffect(() => {
    if (!isVisible || !isReached) return;
    return followAndRefresh(client, userName, folder);
  }, [client, userName, folder, isVisible, isReached]);
  return null;
}

function subscribeVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

function followAndRefresh(client: QueryClient, account: string, folder: string | null): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const poll = () => {
    if (folder !== null && isSmall(client, folder)) refreshSoon(client, keys.folder(folder));
  };
  const end = follow(account, folder === null ? [] : [folder], {
    onEvent: (event) => refresh(client, event),
    onLive: (isLive) => {
      clearInterval(timer);
      if (!isLive) void lookForServer();
      // Changes between the listing and the begin of the events would be missed: the folder is listed again.
      if (isLive && folder !== null) refreshSoon(client, keys.folder(folder));
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

function refresh(client: QueryClient, event: ServerEvent): void {
  switch (event.kind) {
    case "folder":
      refreshSoon(client, keys.folder(event.path));
      return;
    case "task":
      refreshSoon(client, keys.tasks);
      return;
    case "account":
      for (const key of [keys.account, keys.locations, keys.bin]) refreshSoon(client, key);
      return;
    case "resync":
      for (const key of [keys.folders, keys.tasks, keys.account, keys.locations, keys.bin]) refreshSoon(client, key);
  }
}
