import { answerOf, v2 } from "~/api/client";
import { hasCode } from "~/api/problem";
import type { Entry, FolderPage } from "~/files";
import type { Item } from "./questions";

const PAGE = 1_000;

/** What stands in a folder, by name; nothing where there is no such folder. */
export async function entriesByName(folder: string): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  let cursor: string | null = null;
  do {
    const query = { path: folder, limit: PAGE, ...(cursor !== null && { cursor }) };
    let page: FolderPage;
    try {
      page = await answerOf(v2.GET("/api/v2/files", { params: { query } }));
    } catch (error) {
      if (hasCode(error, "not_found")) return found;
      throw error;
    }
    for (const entry of page.entries) found.set(entry.name, entry);
    cursor = page.next;
  } while (cursor !== null);
  return found;
}

/** Something that the server has, as a question shows it. */
export function itemOf({ path, isDirectory, size, modifiedAt }: Entry): Item {
  return {
    isDirectory,
    size: isDirectory ? null : size,
    modifiedAt: new Date(`${modifiedAt}Z`),
    picture: isDirectory ? null : path,
  };
}
