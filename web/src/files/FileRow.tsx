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
  onOpen: (entry: Entry) => void;
};

export function FileRow({ node, state, top, height, folder, columns, onOpen }: Props) {
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
