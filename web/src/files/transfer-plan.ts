import { askForParts, entriesByName, itemOf, type Part } from "~/conflicts";
import type { Entry } from "./entries";
import { parentPath } from "./path";

/** Asks what happens to names that are taken at the destination; null where nothing is to be done. */
export async function planTransfer(entries: readonly Entry[], destination: string): Promise<Part<Entry>[] | null> {
  const there = await entriesByName(destination);
  return askForParts(entries, (entry) => {
    const other = there.get(entry.name);
    // What is copied to where it is becomes a second one; there is nothing to ask.
    if (!other || parentPath(entry.path) === destination) return null;
    return { name: entry.name, there: itemOf(other), coming: itemOf(entry) };
  });
}
