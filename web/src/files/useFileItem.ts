import type { Node } from "@react-types/shared";
import { type DragEvent, useRef } from "react";
import { useSelectableItem } from "react-aria/private/selection/useSelectableItem";
import type { ListState } from "react-stately/useListState";
import { beginDrag, endDrag, useFolderDrop, useIsCut } from "~/transfer";
import { canChange, type Entry } from "./entries";

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
    const { selectedKeys } = state.selectionManager;
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
