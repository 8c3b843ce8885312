import { useCallback, useEffect, useRef } from "react";

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
