import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { keys } from "~/api/keys";
import type { Entry, FolderPage } from "./entries";

type Pages = InfiniteData<FolderPage, string | null>;
type Change = (entries: Entry[]) => Entry[];

/** Shows a change of a folder at once, before the server has made it. The function given back takes it back. */
export function changeFolder(client: QueryClient, folder: string, change: Change): () => void {
  const queryKey = [...keys.folder(folder), "pages"];
  // What is on its way would show the folder as it was.
  void client.cancelQueries({ queryKey }, { revert: false, silent: true });
  const before = client.getQueriesData<Pages>({ queryKey });
  for (const [key, data] of before) {
    if (!data) continue;
    const pages = data.pages.map((page) => ({ ...page, entries: change(page.entries) }));
    client.setQueryData<Pages>(key, { ...data, pages });
  }
  return () => {
    for (const [key, data] of before) client.setQueryData(key, data);
  };
}

/** Looks again at what a folder holds, and at how full the account is. */
export async function refreshFolder(client: QueryClient, folder: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.folder(folder) }),
    client.invalidateQueries({ queryKey: keys.account }),
    client.invalidateQueries({ queryKey: keys.bin }),
  ]);
}
