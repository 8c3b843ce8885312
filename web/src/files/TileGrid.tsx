import type { Key, LayoutDelegate, Node, Rect, Size } from "@react-types/shared";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLocale } from "react-aria/I18nProvider";
import { ListKeyboardDelegate } from "react-aria/ListKeyboardDelegate";
import type { ListState } from "react-stately/useListState";
import { useMessages } from "~/messages";
import type { Entry } from "~/model/entries";
import { parentPath } from "~/model/path";
import type { FileCollection } from "./FileCollection";
import gridStyles from "./FileGrid.module.css";
import { PlaceText } from "./PlaceText";
import { RenameField } from "./RenameField";
import { SharedMark } from "./SharedMark";
import { Thumbnail } from "./Thumbnail";
import styles from "./TileGrid.module.css";
import { type FileListProps, useFileItem, useFileList, useRowInSight, useRowRange, useSamePlace } from "./useFileList";

const HEIGHT = 184;
const OVERSCAN = 3;

/** The entries of a folder as pictures; only those rows of them are in the document that are seen. */
export function TileGrid(props: FileListProps) {
  const { collection, folder, onKeyDown, onOpen, renaming } = props;
  const ref = useRef<HTMLDivElement>(null);
  const { direction } = useLocale();
  const perRow = useTilesPerRow(ref);
  const layoutDelegate = useMemo(() => new TileLayout(collection, perRow, HEIGHT, ref), [collection, perRow]);
  const keyboardDelegate = useMemo(
    () => new ListKeyboardDelegate({ collection, ref, layout: "grid", direction, layoutDelegate }),
    [collection, direction, layoutDelegate],
  );
  const list = useFileList(props, ref, { layoutDelegate, keyboardDelegate, keyboardNavigationBehavior: "tab" });
  const focusedRow = list.focused < 0 ? -1 : Math.floor(list.focused / perRow);
  const range = useRowRange(focusedRow);
  const virtualizer = useVirtualizer({
    count: Math.ceil(collection.size / perRow),
    getScrollElement: () => ref.current,
    estimateSize: () => HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor: range,
  });
  useRowInSight(virtualizer, focusedRow);
  useSamePlace(virtualizer, props.inSight, perRow, list.focused);
  const renamed = renaming === null ? undefined : collection.entryOf(renaming);
  const shown = virtualizer
    .getVirtualItems()
    .flatMap(({ index: row, start }) =>
      Array.from({ length: perRow }, (_, column) => ({ node: collection.at(row * perRow + column), column, start })),
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that come from the tiles
    <div className={gridStyles.frame} onKeyDown={onKeyDown}>
      <div
        {...list.gridProps}
        ref={ref}
        className={`${gridStyles.grid} ${styles.grid}`}
        onKeyDownCapture={list.typeAhead}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: rows of a grid are no table rows */}
        <div role="rowgroup" className={gridStyles.rows} style={{ blockSize: virtualizer.getTotalSize() }}>
          {shown.map(
            ({ node, column, start }) =>
              node && (
                <FileTile
                  key={node.key}
                  node={node}
                  state={list.state}
                  folder={folder}
                  onOpen={onOpen}
                  place={{ top: start, height: HEIGHT, column, perRow }}
                />
              ),
          )}
        </div>
      </div>
      {renamed && <RenameField key={renamed.path} entry={renamed} grid={ref} onDone={list.finishRename} />}
    </div>
  );
}

type Place = { top: number; height: number; column: number; perRow: number };
type Props = {
  node: Node<Entry>;
  state: ListState<Entry>;
  folder: string;
  place: Place;
  onOpen: (entry: Entry) => void;
};

function FileTile({ node, state, folder, place, onOpen }: Props) {
  const { formats } = useMessages();
  const itemProps = useFileItem(node, state, onOpen);
  const entry = node.value;
  if (!entry) return null;
  const { top, height, column, perRow } = place;
  return (
    <div
      {...itemProps}
      className={styles.tile}
      style={{
        insetBlockStart: top,
        blockSize: height,
        insetInlineStart: `${(column / perRow) * 100}%`,
        inlineSize: `${100 / perRow}%`,
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: cells of a grid are no table cells */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the tile has the focus */}
      <div role="gridcell" className={styles.content} aria-colindex={1}>
        <Thumbnail entry={entry} size={256} />
        <span className={styles.name} title={entry.name} data-name>
          <bdi>{entry.name}</bdi>
        </span>
        <SharedMark path={entry.path} className={styles.shared} />
        {parentPath(entry.path) === folder ? (
          <span className={styles.size}>{entry.isDirectory ? "" : formats.size(entry.size)}</span>
        ) : (
          <PlaceText path={entry.path} />
        )}
      </div>
    </div>
  );
}

/** Where tiles stand, so many in a row: for moving by arrows and by pages, since most are not in the document. */
class TileLayout implements LayoutDelegate {
  private readonly collection: FileCollection;
  private readonly perRow: number;
  private readonly height: number;
  private readonly scroller: RefObject<HTMLElement | null>;

  constructor(collection: FileCollection, perRow: number, height: number, scroller: RefObject<HTMLElement | null>) {
    this.collection = collection;
    this.perRow = perRow;
    this.height = height;
    this.scroller = scroller;
  }

  getItemRect(key: Key): Rect | null {
    const index = this.collection.indexOf(key);
    if (index < 0) return null;
    const width = this.getContentSize().width / this.perRow;
    const row = Math.floor(index / this.perRow);
    return { x: (index % this.perRow) * width, y: row * this.height, width, height: this.height };
  }

  getVisibleRect(): Rect {
    const scroller = this.scroller.current;
    const { width } = this.getContentSize();
    return { x: 0, y: scroller?.scrollTop ?? 0, width, height: scroller?.clientHeight ?? 0 };
  }

  getContentSize(): Size {
    const rows = Math.ceil(this.collection.size / this.perRow);
    // Not 0 where nothing is laid out: all tiles would be one above the other.
    return { width: this.scroller.current?.clientWidth || this.perRow, height: rows * this.height };
  }
}

const NARROWEST = 148;

/** How many tiles stand side by side, as the width allows; two at least. */
function useTilesPerRow(scroller: RefObject<HTMLElement | null>): number {
  const [perRow, setPerRow] = useState(2);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setPerRow(Math.max(2, Math.floor(element.clientWidth / NARROWEST)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return perRow;
}
