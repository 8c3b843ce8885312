import type { Node } from "@react-types/shared";
import { type DragEvent, useRef } from "react";
import { useGridListItem } from "react-aria/useGridList";
import type { ListState } from "react-stately/useListState";
import { beginDrag, endDrag, useFolderDrop, useIsCut } from "~/transfer";
import { canChange, type Entry } from "./entries";

/** What an entry does, as a row or a tile: it is selected, opened, dragged, and takes what is dropped on a folder. */
export function useFileItem(node: Node<Entry>, state: ListState<Entry>) {
  const ref = useRef<HTMLDivElement>(null);
  const entry = node.value;
  const { rowProps, gridCellProps, isSelected, isPressed } = useGridListItem(
    // Only on release are several still selected when they begin to be dragged. Not as a virtualized one: then each
    // row would look through the whole collection for its index.
    { node, shouldSelectOnPressUp: true },
    state,
    ref,
  );
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
  const itemProps = {
    ...rowProps,
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
  return { itemProps, cellProps: gridCellProps };
}
