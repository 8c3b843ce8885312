import { defaultRangeExtractor, type Range, type Virtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { MultipleSelectionManager } from "react-stately/useMultipleSelectionState";
import type { FileCollection } from "./FileCollection";

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

/** Gives a function that moves the focus to a path as soon as the list has it: a new name may show a little later. */
export function useFocusWhenThere(collection: FileCollection, manager: MultipleSelectionManager) {
  const [wanted, setWanted] = useState<string | null>(null);
  useEffect(() => {
    if (wanted === null || collection.indexOf(wanted) < 0) return;
    setWanted(null);
    manager.setFocusedKey(wanted);
    manager.setFocused(true);
  }, [wanted, collection, manager]);
  return setWanted;
}
