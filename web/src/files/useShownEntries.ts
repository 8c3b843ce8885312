import { useDeferredValue, useMemo } from "react";
import type { FolderOrder } from "~/api/keys";
import { useMessages } from "~/messages";
import type { Entry } from "./entries";
import { orderedBy } from "./entry-order";
import { FileCollection } from "./FileCollection";

/** What differs only by case or accents looks alike here; a plain search is quick enough for 100,000 names. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The entries whose names hold what stands in the search box, and behind them what was found elsewhere. */
export function useShownEntries(
  entries: Entry[],
  filter: string,
  found: readonly Entry[],
  { sort, order }: FolderOrder,
): FileCollection {
  const { formats } = useMessages();
  const wanted = useDeferredValue(filter.trim());
  return useMemo(() => {
    if (wanted === "") return new FileCollection(entries);
    const part = plain(wanted);
    const here = entries.filter(({ name }) => plain(name).includes(part));
    const paths = new Set(here.map(({ path }) => path));
    const elsewhere = found.filter(({ path }) => !paths.has(path));
    return new FileCollection([...here, ...elsewhere.sort(orderedBy(formats.collator, { sort, order }))]);
  }, [entries, wanted, found, sort, order, formats]);
}
