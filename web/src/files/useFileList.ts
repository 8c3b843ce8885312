import type { Key, KeyboardDelegate, LayoutDelegate, Node } from "@react-types/shared";
import { defaultRangeExtractor, type Range, type Virtualizer } from "@tanstack/react-virtual";
import {
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useSelectableItem } from "react-aria/private/selection/useSelectableItem";
import { useGridList } from "react-aria/useGridList";
import type { Selection } from "react-aria-components";
import { type ListState, useListState } from "react-stately/useListState";
import type { MultipleSelectionManager } from "react-stately/useMultipleSelectionState";
import { useMessages } from "~/messages";
import { canChange, type Entry } from "~/model/entries";
import { folded } from "~/model/folding";
import { isFocusLeft } from "~/model/way-back";
import { useIsCut } from "~/transfer/clipboard";
import { beginDrag, endDrag, useFolderDrop } from "~/transfer/drag";
import type { FileCollection } from "./FileCollection";
import type { Renamed } from "./useFileCommands";

/** The properties of every view of a folder's entries. */
export type FileListProps = {
  collection: FileCollection;
  /** The folder that is looked at: what lies elsewhere says where. */
  folder: string;
  /** The entry that leads to the folder shown before. */
  wayBack: string | undefined;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onOpen: (entry: Entry) => void;
  onKeyDown: (event: React.KeyboardEvent) => void;
  /** The path of what is being renamed in place; null for nothing. */
  renaming: string | null;
  /** The new name; null where it stays. */
  onRename: (entry: Entry, newName: string | null) => Renamed;
  /** The entry that the next view of the same shows; 0 for its top. */
  inSight: RefObject<number>;
};

type Delegates = {
  layoutDelegate: LayoutDelegate;
  keyboardDelegate?: KeyboardDelegate;
  /** `tab` where arrows to the sides lead to other entries. */
  keyboardNavigationBehavior?: "arrow" | "tab";
};

/** Selection, keys and roles of the entries, however they are laid out. */
export function useFileList(
  { collection, wayBack, selection, onSelect, onRename }: FileListProps,
  ref: RefObject<HTMLDivElement | null>,
  delegates: Delegates,
) {
  const { t } = useMessages();
  const state = useListState<Entry>({
    collection,
    // The collection is given as it is; nothing is built from children.
    children: [],
    selectionMode: "multiple",
    selectionBehavior: "replace",
    selectedKeys: selection,
    onSelectionChange: onSelect,
  });
  const { gridProps } = useGridList(
    {
      "aria-label": t("files.title"),
      isVirtualized: true,
      disallowTypeAhead: true,
      ...delegates,
    },
    state,
    ref,
  );
  const { selectionManager } = state;
  const focused = collection.indexOf(selectionManager.focusedKey);
  const focusOn = useFocusWhenThere(collection, selectionManager);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a list that has just come takes the focus
  useEffect(() => {
    const isBackThere = wayBack !== undefined && collection.entryOf(wayBack);
    if (isFocusLeft()) focusOn(isBackThere ? wayBack : collection.getFirstKey());
  }, []);
  const typeAhead = useTypeAhead(collection, focused, (path) => {
    selectionManager.replaceSelection(path);
    selectionManager.setFocusedKey(path);
  });
  const finishRename = (entry: Entry, newName: string | null, byKey: boolean) => {
    const { path, inTheEnd } = onRename(entry, newName);
    if (!byKey) return;
    focusOn(path);
    void inTheEnd.then((last) => {
      // Who went elsewhere meanwhile stays there.
      const focus = document.activeElement;
      if (last !== path && (focus === document.body || ref.current?.contains(focus))) focusOn(last);
    });
  };
  return { state, gridProps, finishRename, focused, typeAhead };
}

/** Letters typed within this time form one word. */
const WORD_MS = 1_000;

/**
 * Finds the entry whose name begins with what is typed: behind the current one, then from the top. React Aria's own
 * moves only the focus, so that a key that deletes would take what was selected before.
 */
function useTypeAhead(collection: FileCollection, current: number, onFind: (path: string) => void) {
  const typed = useRef({ text: "", at: 0 });
  return (event: KeyboardEvent) => {
    const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    const word = typed.current;
    const goesOn = event.timeStamp - word.at < WORD_MS;
    // A blank selects and "?" asks for the keys, unless it is part of a name; "/", which leads to the search, never is.
    const isBegun = goesOn && word.text !== "";
    if (!isCharacter || event.key === "/" || (!isBegun && /[ ?]/.test(event.key))) return;
    event.preventDefault();
    event.stopPropagation();
    typed.current = { text: (goesOn ? word.text : "") + event.key, at: event.timeStamp };
    const { text } = typed.current;
    // The first character goes on to the next that begins with it; further ones may fit the current entry still.
    const first = Math.max(0, current + (text.length === 1 ? 1 : 0));
    for (let step = 0; step < collection.size; step += 1) {
      const entry = collection.entries[(first + step) % collection.size];
      if (entry && folded(entry.name).startsWith(folded(text))) return onFind(entry.path);
    }
  };
}

/**
 * What an entry does, as a row or a tile: it is selected, opened, dragged, and takes what is dropped on a folder. React
 * Aria's own item of a grid would render each row twice, to look for a description of it that we never have, and has keys
 * for what can be focused within a row, where nothing can.
 */
export function useFileItem(node: Node<Entry>, state: ListState<Entry>, onOpen: (entry: Entry) => void) {
  const ref = useRef<HTMLDivElement>(null);
  const entry = node.value;
  const { itemProps, isSelected, isPressed } = useSelectableItem({
    selectionManager: state.selectionManager,
    key: node.key,
    ref,
    // Only on release are several still selected when they begin to be dragged.
    shouldSelectOnPressUp: true,
    onAction: () => entry && onOpen(entry),
  });
  const isFolder = entry?.isDirectory === true;
  const drop = useFolderDrop(node.key as string, isFolder && !entry.readOnly);
  const isCut = useIsCut(node.key as string);
  const onDragStart = (event: DragEvent) => {
    if (!entry) return;
    const { selectedKeys, rawSelection } = state.selectionManager;
    // What is still to come cannot be dragged along.
    if (rawSelection === "all" && !(state.collection as FileCollection).isWhole) return event.preventDefault();
    const keys = selectedKeys.has(node.key) ? selectedKeys : [node.key];
    const entries = [...keys].flatMap((key) => state.collection.getItem(key)?.value ?? []);
    beginDrag(event, entries, entries.every(canChange));
  };
  return {
    ...itemProps,
    role: "row",
    "aria-label": node.textValue,
    "aria-selected": isSelected,
    "aria-rowindex": node.index + 1,
    ref,
    ...drop.props,
    draggable: true,
    onDragStart,
    onDragEnd: endDrag,
    "data-folder": isFolder && !entry.readOnly ? entry.path : undefined,
    "data-selected": isSelected || undefined,
    "data-pressed": isPressed || undefined,
    "data-target": drop.isTarget || undefined,
    "data-cut": isCut || undefined,
  };
}

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

/**
 * Begins where the view before it stood: with the entry that had the focus, if it was seen, else with the one that the
 * view itself began with, else with the one in the middle.
 */
export function useSamePlace(
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  inSight: RefObject<number>,
  perRow: number,
  focused: number,
): void {
  const latest = useRef({ focused, perRow });
  useLayoutEffect(() => {
    latest.current = { focused, perRow };
  }, [focused, perRow]);
  useLayoutEffect(() => {
    if (inSight.current > 0) virtualizer.scrollToIndex(Math.floor(inSight.current / perRow), { align: "center" });
  }, [virtualizer, inSight, perRow]);
  useLayoutEffect(() => {
    // The virtualizer lets go of it before the view goes.
    const scroller = virtualizer.scrollElement;
    if (!scroller) return;
    const note = () => {
      const { focused, perRow } = latest.current;
      const { scrollTop, clientHeight } = scroller;
      const rowAt = (offset: number) => Math.floor(offset / virtualizer.options.estimateSize(0));
      const isSeen = (entry: number) => {
        const row = Math.floor(entry / perRow);
        return row >= rowAt(scrollTop) && row <= rowAt(scrollTop + clientHeight);
      };
      if (isSeen(focused)) inSight.current = focused;
      else if (!isSeen(inSight.current)) inSight.current = rowAt(scrollTop + clientHeight / 2) * perRow;
    };
    scroller.addEventListener("scroll", note, { passive: true });
    return () => {
      scroller.removeEventListener("scroll", note);
      note();
    };
  }, [virtualizer, inSight]);
}

/** Gives a function that moves the focus to a path as soon as the list has it: a new name may show a little later. */
function useFocusWhenThere(collection: FileCollection, manager: MultipleSelectionManager) {
  const [wanted, setWanted] = useState<Key | null>(null);
  useEffect(() => {
    if (wanted === null || collection.indexOf(wanted) < 0) return;
    setWanted(null);
    manager.setFocusedKey(wanted);
    manager.setFocused(true);
  }, [wanted, collection, manager]);
  return setWanted;
}
