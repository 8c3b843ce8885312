import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useFilesSearch } from "~/model/folder-address";
import { Store } from "~/platform/store";

/** So long after the last letter it stands in the address. */
const SETTLED_MS = 250;

/** The text searched for in a folder. The search box and the address follow each other. */
export function useSearchText(): string {
  const router = useRouter();
  const { q = "" } = useFilesSearch();
  const filter = useFilter();
  const written = useRef<string | null>(null);
  useEffect(() => {
    if (q === written.current) return;
    written.current = q;
    setFilter(q);
  }, [q]);
  useEffect(() => {
    if (filter === written.current) return;
    const timer = setTimeout(() => {
      written.current = filter;
      const search = { q: filter || undefined, ...(filter === "" && { everywhere: undefined }) };
      void router.navigate({ to: ".", search: (old) => ({ ...old, ...search }), replace: true });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [router, filter]);
  // Before the first effect the box still has what was looked for elsewhere.
  return written.current === null ? q : filter;
}

const filter = new Store("");

/** The text of the search box. */
export function useFilter(): string {
  return filter.use();
}

export function setFilter(text: string): void {
  filter.set(text);
}
