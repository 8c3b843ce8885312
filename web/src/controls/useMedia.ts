import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";

/** As in the styles of settings: below this there is no room beside the locations for more than one column. */
const NARROW = "(max-width: 959px)";
/** As in the styles of files: a telephone. */
const SMALL = "(max-width: 719px)";

/** True while the media query matches; a change renders the component again. */
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

/** Asks whether a dialog is still there, for an answer that may come after it was closed: another may be open by then. */
export function useIsOpen(): () => boolean {
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return useCallback(() => isOpen.current, []);
}

/** Shows the name of a button that is only an icon to those who point at it. */
export function nameByTitle({ target }: { target: HTMLElement }): void {
  target.title = target.getAttribute("aria-label") ?? target.textContent ?? "";
}
