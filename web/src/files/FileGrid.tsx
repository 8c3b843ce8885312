import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useMemo, useRef } from "react";
import { Settled } from "~/controls/Settled";
import styles from "./FileGrid.module.css";
import { FileRow } from "./FileRow";
import { RenameField } from "./RenameField";
import { RowLayout } from "./RowLayout";
import { type FileListProps, useFileList } from "./useFileList";
import { useRowInSight, useRowRange } from "./useFocusedRow";
import { useRowHeight } from "./useRowHeight";
import type { Column } from "./view";

/** Rows beside the visible ones, so that a quick scroll shows no gap. */
const OVERSCAN = 6;
/** So many rows of a list that was just opened are rendered in one go, and so many times: all others follow. */
const STEP = 4;
const STEPS = 5;

/** The entries of a folder as a grid that has only those rows in the document that are seen. */
export function FileGrid(props: FileListProps & { columns: readonly Column[] }) {
  const { collection, folder, columns, onKeyDown, onOpen, renaming } = props;
  const ref = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const layout = useMemo(() => new RowLayout(collection, rowHeight, ref), [collection, rowHeight]);
  const { state, gridProps, finishRename, focused, typeAhead } = useFileList(props, ref, { layoutDelegate: layout });
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
  const counted = { "aria-colcount": 1 + columns.length };
  const renamed = renaming === null ? undefined : collection.entryOf(renaming);
  const rows = (from: number, to = collection.size) =>
    virtualizer.getVirtualItems().map(({ index, key, start }) => {
      const node = index >= from && index < to ? collection.at(index) : undefined;
      return (
        node && (
          <FileRow
            key={key}
            node={node}
            state={state}
            top={start}
            height={rowHeight}
            folder={folder}
            columns={columns}
            onOpen={onOpen}
          />
        )
      );
    });
  const rowsFrom = (step: number): ReactNode =>
    step === STEPS ? (
      rows(step * STEP)
    ) : (
      <>
        {rows(step * STEP, (step + 1) * STEP)}
        <Settled>{rowsFrom(step + 1)}</Settled>
      </>
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that come from the rows
    <div className={styles.frame} onKeyDown={onKeyDown}>
      <div {...gridProps} {...counted} ref={ref} className={styles.grid} onKeyDownCapture={typeAhead}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows of a grid are no table rows */}
        <div role="rowgroup" className={styles.rows} style={{ blockSize: virtualizer.getTotalSize() }}>
          {rowsFrom(0)}
        </div>
      </div>
      {renamed && <RenameField key={renamed.path} entry={renamed} grid={ref} onDone={finishRename} />}
    </div>
  );
}
