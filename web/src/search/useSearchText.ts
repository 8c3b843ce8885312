import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { filesRoute } from "~/routes";
import { setFilter, useFilter } from "./filter";

/** So long after the last letter it stands in the address. */
const SETTLED_MS = 250;

/** What is looked for in a folder: what stands in the search box, which follows the address and is followed by it. */
export function useSearchText(): string {
  const router = useRouter();
  const { q = "" } = filesRoute.useSearch();
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
