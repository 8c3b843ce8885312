import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import { useLocale } from "react-aria/I18nProvider";
import { ListKeyboardDelegate } from "react-aria/ListKeyboardDelegate";
import gridStyles from "./FileGrid.module.css";
import { FileTile } from "./FileTile";
import { RenameField } from "./RenameField";
import styles from "./TileGrid.module.css";
import { TileLayout } from "./TileLayout";
import { type FileListProps, useFileList } from "./useFileList";
import { useRowInSight, useRowRange } from "./useFocusedRow";
import { useTilesPerRow } from "./useTilesPerRow";

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
