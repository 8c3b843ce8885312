import { useCallback, useSyncExternalStore } from "react";

/** As in the styles of settings: below this there is no room beside the locations for more than one column. */
const NARROW = "(max-width: 959px)";
/** As in the styles of files: a telephone. */
const SMALL = "(max-width: 719px)";

/** Whether the page is shown so now; what asks is rendered anew when that changes. */
export function useMedia(condition: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = window.matchMedia(condition);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    [condition],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(condition).matches);
}

/** Where a part has less to show on a small page, rather than another look. */
export function useNarrow(): boolean {
  return useMedia(NARROW);
}

/** Where there is room for names and little else. */
export function useSmall(): boolean {
  return useMedia(SMALL);
}
