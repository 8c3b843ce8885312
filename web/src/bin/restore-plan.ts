import { askForParts, entriesByName, itemOf, type Part } from "~/conflicts";
import type { BinItem } from "./query";

function placeOf(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf("/");
  return { folder: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) };
}

/** Asks what happens to names that are taken where things were; null where nothing is to be done. */
export async function planRestore(items: readonly BinItem[]): Promise<Part<BinItem>[] | null> {
  const folders = [...new Set(items.map(({ path }) => placeOf(path).folder))];
  const listings = await Promise.all(folders.map(entriesByName));
  const there = new Map(folders.map((folder, index) => [folder, listings[index]]));
  return askForParts(items, ({ path, isDirectory, size }) => {
    const { folder, name } = placeOf(path);
    const other = there.get(folder)?.get(name);
    return other
      ? { name, there: itemOf(other), coming: { isDirectory, size, modifiedAt: null, picture: null } }
      : null;
  });
}
