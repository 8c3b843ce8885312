import { Store } from "~/platform/store";
import type { Entry } from "./entries";

export type Change = (entries: Entry[]) => Entry[];
type Pending = { folders: readonly string[]; change: Change };

/** The changes that are under way. */
export const pendingChanges = new Store<readonly Pending[]>([]);

/** Shows a change of folders before the server has made it, until the function given back is called. */
export function showChange(folders: readonly string[], change: Change): () => void {
  const shown = { folders, change };
  pendingChanges.set([...pendingChanges.get(), shown]);
  return () => pendingChanges.set(pendingChanges.get().filter((one) => one !== shown));
}

/** A folder's entries as they will be. */
export function withChanges(changes: readonly Pending[], folder: string, entries: Entry[]): Entry[] {
  return changes.reduce((all, one) => (one.folders.includes(folder) ? one.change(all) : all), entries);
}
