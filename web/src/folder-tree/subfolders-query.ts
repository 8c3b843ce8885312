import { queryOptions } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import type { Entry, FolderPage } from "~/files";

const PAGE = 10_000;

/** The folders in a folder. They stand before all files, so that the first file ends the list. */
export function subfoldersQuery(path: string) {
  return queryOptions({
    queryKey: keys.subfolders(path),
    queryFn: async ({ signal }): Promise<Entry[]> => {
      const folders: Entry[] = [];
      let cursor: string | null = null;
      for (;;) {
        const query = { path, limit: PAGE, ...(cursor !== null && { cursor }) };
        const page: FolderPage = await answerOf(v2.GET("/api/v2/files", { params: { query }, signal }));
        folders.push(...page.entries.filter(({ isDirectory }) => isDirectory));
        if (page.next === null || page.entries.some(({ isDirectory }) => !isDirectory)) return folders;
        cursor = page.next;
      }
    },
  });
}
