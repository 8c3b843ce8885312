import type { Key, LayoutDelegate, Node, Rect, Size } from "@react-types/shared";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type RefObject, useCallback, useMemo, useRef } from "react";
import type { ListState } from "react-stately/useListState";
import { useMedia } from "~/controls/useMedia";
import { useMessages } from "~/messages";
import { type Entry, kindText } from "~/model/entries";
import { FileIcon } from "~/model/FileIcon";
import { parentPath } from "~/model/path";
import type { FileCollection } from "./FileCollection";
import styles from "./FileGrid.module.css";
import { PlaceText } from "./PlaceText";
import { RenameField } from "./RenameField";
import { SharedMark } from "./SharedMark";
import { type FileListProps, useFileItem, useFileList, useRowInSight, useRowRange, useSamePlace } from "./useFileList";
import type { Column } from "./view";

/** Rows beside the visible ones, so that a quick scroll shows no gap. */
const OVERSCAN = 6;
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
  useSamePlace(virtualizer, props.inSight, 1, focused);
  const counted = { "aria-colcount": 1 + columns.length };
  const renamed = renaming === null ? undefined : collection.entryOf(renaming);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that come from the rows
    <div className={styles.frame} onKeyDown={onKeyDown}>
      <div {...gridProps} {...counted} ref={ref} className={styles.grid} onKeyDownCapture={typeAhead}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows of a grid are no table rows */}
        <div role="rowgroup" className={styles.rows} style={{ blockSize: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const node = collection.at(index);
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
          })}
        </div>
      </div>
      {renamed && <RenameField key={renamed.path} entry={renamed} grid={ref} onDone={finishRename} />}
    </div>
  );
}

type Props = {
  node: Node<Entry>;
  state: ListState<Entry>;
  top: number;
  height: number;
  folder: string;
  columns: readonly Column[];
  onOpen: (entry: Entry) => void;
};

function FileRow({ node, state, top, height, folder, columns, onOpen }: Props) {
  const itemProps = useFileItem(node, state, onOpen);
  const entry = node.value;
  if (!entry) return null;
  return (
    <div {...itemProps} className={styles.row} style={{ transform: `translateY(${top}px)`, blockSize: height }}>
      <RowCells entry={entry} folder={folder} columns={columns} />
    </div>
  );
}

type CellsProps = {
  entry: Entry;
  folder: string;
  columns: readonly Column[];
};

const RowCells = memo(function RowCells({ entry, folder, columns }: CellsProps) {
  const { t } = useMessages();
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: cells of a grid are no table cells */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row has the focus */}
      <div role="gridcell" className={styles.name} aria-colindex={1} data-name>
        <FileIcon entry={entry} />
        <span className={styles.text}>
          <bdi>{entry.name}</bdi>
        </span>
        {parentPath(entry.path) !== folder && <PlaceText path={entry.path} />}
        <SharedMark path={entry.path} className={styles.shared} />
        {entry.readOnly && <span className={styles.badge}>{t("files.readOnly")}</span>}
      </div>
      {columns.map((column, index) => (
        // biome-ignore lint/a11y/useSemanticElements: cells of a grid are no table cells
        // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
        <div key={column} role="gridcell" className={styles[column]} aria-colindex={index + 2}>
          <CellText entry={entry} column={column} />
        </div>
      ))}
    </>
  );
});

function CellText({ entry, column }: { entry: Entry; column: Column }) {
  const { t, formats } = useMessages();
  switch (column) {
    case "modified":
      return formats.dateTime(entry.modifiedAt);
    case "created":
      return formats.dateTime(entry.createdAt);
    case "size":
      return entry.isDirectory ? "" : formats.size(entry.size);
    case "kind":
      return kindText(entry, t);
  }
}

/** Where rows of one height stand, for moving by pages: most of them are not in the document. */
class RowLayout implements LayoutDelegate {
  private readonly collection: FileCollection;
  private readonly rowHeight: number;
  private readonly scroller: RefObject<HTMLElement | null>;

  constructor(collection: FileCollection, rowHeight: number, scroller: RefObject<HTMLElement | null>) {
    this.collection = collection;
    this.rowHeight = rowHeight;
    this.scroller = scroller;
  }

  getItemRect(key: Key): Rect | null {
    const index = this.collection.indexOf(key);
    if (index < 0) return null;
    return { x: 0, y: index * this.rowHeight, width: this.getContentSize().width, height: this.rowHeight };
  }

  getVisibleRect(): Rect {
    const scroller = this.scroller.current;
    return {
      x: 0,
      y: scroller?.scrollTop ?? 0,
      width: scroller?.clientWidth ?? 0,
      height: scroller?.clientHeight ?? 0,
    };
  }

  getContentSize(): Size {
    return { width: this.scroller.current?.clientWidth ?? 0, height: this.collection.size * this.rowHeight };
  }
}

/** The token --row-height in pixels: rows are higher for fingers. */
function useRowHeight(): number {
  return useMedia("(pointer: coarse)") ? 52 : 40;
}
