import { useSyncExternalStore } from "react";

/** As in the styles: below this, what stands beside the page becomes a part of it. */
const NARROW = "(max-width: 719px)";

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Where a part has less to show on a small page, rather than another look. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches);
}
