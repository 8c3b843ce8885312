import type { Node } from "@react-types/shared";
import { memo, useRef } from "react";
import { useGridListItem } from "react-aria/useGridList";
import type { ListState } from "react-stately/useListState";
import { useMessages } from "~/messages";
import type { Entry } from "./entries";
import styles from "./FileGrid.module.css";
import { FileIcon } from "./FileIcon";

type Props = { node: Node<Entry>; state: ListState<Entry>; top: number; height: number };

export function FileRow({ node, state, top, height }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const { rowProps, gridCellProps, isSelected, isPressed } = useGridListItem({ node, isVirtualized: true }, state, ref);
  const entry = node.value;
  if (!entry) return null;
  return (
    <div
      {...rowProps}
      ref={ref}
      className={styles.row}
      style={{ transform: `translateY(${top}px)`, blockSize: height }}
      data-folder={entry.isDirectory && !entry.readOnly ? entry.path : undefined}
      data-selected={isSelected || undefined}
      data-pressed={isPressed || undefined}
    >
      <RowCells entry={entry} cellProps={gridCellProps} />
    </div>
  );
}

type CellsProps = { entry: Entry; cellProps: React.HTMLAttributes<HTMLElement> };

const RowCells = memo(function RowCells({ entry, cellProps }: CellsProps) {
  const { t, formats } = useMessages();
  const size = entry.isDirectory ? "" : formats.size(entry.size);
  return (
    <>
      <div {...cellProps} className={styles.name} data-name>
        <FileIcon entry={entry} />
        <span className={styles.text}>
          <bdi>{entry.name}</bdi>
        </span>
        {entry.readOnly && <span className={styles.badge}>{t("files.readOnly")}</span>}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: cells of a grid are no table cells */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row has the focus */}
      <div role="gridcell" className={styles.modified} aria-colindex={2}>
        {formats.dateTime(entry.modifiedAt)}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div role="gridcell" className={styles.size} aria-colindex={3}>
        {size}
      </div>
    </>
  );
});
