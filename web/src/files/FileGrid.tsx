import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useMemo, useRef } from "react";
import { useGridList } from "react-aria/useGridList";
import type { Key, Selection } from "react-aria-components";
import { useListState } from "react-stately/useListState";
import { useMessages } from "~/messages";
import type { Entry } from "./entries";
import type { FileCollection } from "./FileCollection";
import styles from "./FileGrid.module.css";
import { FileRow } from "./FileRow";
import { RenameField } from "./RenameField";
import { RowLayout } from "./RowLayout";
import { useFocusWhenThere, useRowInSight, useRowRange } from "./useFocusedRow";
import { useRowHeight } from "./useRowHeight";
import { useTypeAhead } from "./useTypeAhead";

/** Rows beside the visible ones, so that a quick scroll shows no gap. */
const OVERSCAN = 12;

const COLUMNS = { "aria-colcount": 3 };

type Props = {
  collection: FileCollection;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onOpen: (entry: Entry) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** The path of what is being renamed in place; null for nothing. */
  renaming: string | null;
  /** The new name; null where it stays. Gives the path that the entry has then. */
  onRename: (entry: Entry, newName: string | null) => string;
};

/** The entries of a folder as a grid that has only those rows in the document that are seen. */
export function FileGrid({ collection, selection, onSelect, onOpen, onKeyDown, renaming, onRename }: Props) {
  const { t } = useMessages();
  const ref = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const layout = useMemo(() => new RowLayout(collection, rowHeight, ref), [collection, rowHeight]);
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
      layoutDelegate: layout,
      disallowTypeAhead: true,
      onAction: (key: Key) => {
        const entry = collection.entryOf(key);
        if (entry) onOpen(entry);
      },
    },
    state,
    ref,
  );
  const focused = collection.indexOf(state.selectionManager.focusedKey);
  const range = useRowRange(focused);
  // Another function would have all rows measured anew.
  const getItemKey = useCallback((index: number) => collection.entries[index]?.path ?? index, [collection]);
  const virtualizer = useVirtualizer({
    count: collection.size,
    getScrollElement: () => ref.current,
    estimateSize: () => rowHeight,
    getItemKey,
    overscan: OVERSCAN,
    rangeExtractor: range,
  });
  useRowInSight(virtualizer, focused);
  const renamed = renaming === null ? undefined : collection.entryOf(renaming);
  const focusOn = useFocusWhenThere(collection, state.selectionManager);
  const typeAhead = useTypeAhead(collection, focused, (path) => {
    state.selectionManager.replaceSelection(path);
    state.selectionManager.setFocusedKey(path);
  });
  const finish = (entry: Entry, newName: string | null, byKey: boolean) => {
    const path = onRename(entry, newName);
    if (byKey) focusOn(path);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that come from the rows
    <div className={styles.frame} onKeyDown={onKeyDown}>
      <div {...gridProps} {...COLUMNS} ref={ref} className={styles.grid} onKeyDownCapture={typeAhead}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows of a grid are no table rows */}
        <div role="rowgroup" className={styles.rows} style={{ blockSize: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const node = collection.at(index);
            return node && <FileRow key={key} node={node} state={state} top={start} height={rowHeight} />;
          })}
        </div>
      </div>
      {renamed && <RenameField key={renamed.path} entry={renamed} grid={ref} onDone={finish} />}
    </div>
  );
}
