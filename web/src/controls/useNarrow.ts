import { useSyncExternalStore } from "react";

/** As in the styles of settings: below this there is no room beside the locations for more than one column. */
const NARROW = "(max-width: 959px)";

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Where a part has less to show on a small page, rather than another look. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches);
}
