import { useDeferredValue, useMemo } from "react";
import type { Entry } from "./entries";
import { FileCollection } from "./FileCollection";

/** What differs only by case or accents looks alike here; a plain search is quick enough for 100,000 names. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The entries whose names hold what stands in the search box. */
export function useShownEntries(entries: Entry[], filter: string): FileCollection {
  const wanted = useDeferredValue(filter.trim());
  return useMemo(() => {
    if (wanted === "") return new FileCollection(entries);
    const part = plain(wanted);
    return new FileCollection(entries.filter(({ name }) => plain(name).includes(part)));
  }, [entries, wanted]);
}
