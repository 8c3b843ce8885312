import { defaultRangeExtractor, type Range, type Virtualizer } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useRef } from "react";

/** Which rows are in the document: the focused one too, so that the focus is not lost when it is scrolled out of sight. */
export function useRowRange(focused: number): (range: Range) => number[] {
  return useCallback(
    (range) => {
      const indices = defaultRangeExtractor(range);
      if (focused < 0 || focused >= range.count || indices.includes(focused)) return indices;
      return [...indices, focused].sort((a, b) => a - b);
    },
    [focused],
  );
}

/** Brings the row into sight that the focus moves to. */
export function useRowInSight(virtualizer: Virtualizer<HTMLDivElement, Element>, focused: number): void {
  const shown = useRef(focused);
  useLayoutEffect(() => {
    if (focused >= 0 && shown.current !== focused) virtualizer.scrollToIndex(focused, { align: "auto" });
    shown.current = focused;
  }, [virtualizer, focused]);
}
