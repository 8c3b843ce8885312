import type { FolderOrder } from "~/api/keys";
import type { Entry } from "~/model/entries";

/** As the server orders a folder: folders before files; what is equal by name, in which numbers count as such. */
export function orderedBy(collator: Intl.Collator, { sort, order }: FolderOrder): (a: Entry, b: Entry) => number {
  const byName = (a: Entry, b: Entry) => collator.compare(a.name, b.name) || (a.path < b.path ? -1 : 1);
  const byKey = (a: Entry, b: Entry): number => {
    if (sort === "size") return a.size - b.size;
    if (sort === "modified") return a.modifiedAt < b.modifiedAt ? -1 : a.modifiedAt > b.modifiedAt ? 1 : 0;
    return byName(a, b);
  };
  const direction = order === "desc" ? -1 : 1;
  return (a, b) => Number(b.isDirectory) - Number(a.isDirectory) || direction * byKey(a, b) || byName(a, b);
}
