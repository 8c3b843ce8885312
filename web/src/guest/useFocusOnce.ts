import { useCallback, useRef } from "react";
import { isFocusLeft } from "~/model/way-back";

/**
 * Gives the focus to a row of a list that has just come. Only the first call can do so: later the page also gets the focus
 * by a press beside the rows, and the list would jump to its first row whenever it is drawn again.
 */
export function useFocusOnce(): (row: HTMLElement) => void {
  const isNew = useRef(true);
  return useCallback((row) => {
    if (isNew.current && isFocusLeft()) row.focus();
    isNew.current = false;
  }, []);
}
