import type { Node } from "@react-types/shared";
import { memo } from "react";
import type { ListState } from "react-stately/useListState";
import { useMessages } from "~/messages";
import { type Entry, kindText } from "./entries";
import styles from "./FileGrid.module.css";
import { FileIcon } from "./FileIcon";
import { PlaceText } from "./PlaceText";
import { parentPath } from "./path";
import { useFileItem } from "./useFileItem";
import type { Column } from "./view";

type Props = {
  node: Node<Entry>;
  state: ListState<Entry>;
  top: number;
  height: number;
  folder: string;
  columns: readonly Column[];
};

export function FileRow({ node, state, top, height, folder, columns }: Props) {
  const { itemProps, cellProps } = useFileItem(node, state);
  const entry = node.value;
  if (!entry) return null;
  return (
    <div {...itemProps} className={styles.row} style={{ transform: `translateY(${top}px)`, blockSize: height }}>
      <RowCells entry={entry} cellProps={cellProps} folder={folder} columns={columns} />
    </div>
  );
}

const FIRST = { "aria-colindex": 1 };

type CellsProps = {
  entry: Entry;
  cellProps: React.HTMLAttributes<HTMLElement>;
  folder: string;
  columns: readonly Column[];
};

const RowCells = memo(function RowCells({ entry, cellProps, folder, columns }: CellsProps) {
  const { t } = useMessages();
  return (
    <>
      <div {...cellProps} className={styles.name} {...FIRST} data-name>
        <FileIcon entry={entry} />
        <span className={styles.text}>
          <bdi>{entry.name}</bdi>
        </span>
        {parentPath(entry.path) !== folder && <PlaceText path={entry.path} />}
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
