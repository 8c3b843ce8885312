import { type Key, type ReactNode, useMemo } from "react";
import type { Selection } from "react-aria-components";
import { Cell, Column, Row, Table, TableBody, TableHeader } from "react-aria-components/Table";
import styles from "./DataGrid.module.css";
import { type MenuPlace, useContextMenu } from "./useContextMenu";

export type GridColumn<Item> = {
  id: string;
  title: string;
  cell: (item: Item) => ReactNode;
  /** In pixels; what is left over goes to the columns without one. */
  width?: number;
  align?: "end";
  /** The name of the row wraps, as other texts do, instead of being cut. */
  wraps?: boolean;
  /** Not seen in a narrow list; what matters of it stands below the row's name there. */
  isWide?: boolean;
  /** Buttons: the head of their column is only for readers of the screen. */
  isForButtons?: boolean;
};

type Props<Item> = {
  label: string;
  /** The first names its row. */
  columns: readonly GridColumn<Item>[];
  items: readonly Item[];
  idOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  selection?: Selection;
  onSelect?: (selection: Selection) => void;
  onOpen?: (item: Item) => void;
  /** The menu of a row is asked for. */
  onMenu?: (place: MenuPlace) => void;
  /** A row is on the page. */
  onShown?: (item: Item, row: HTMLElement) => void;
};

/** A list of what the server keeps, as a grid that is walked through by keys. */
export function DataGrid<Item extends object>(props: Props<Item>) {
  const { label, columns, items, idOf, nameOf, selection, onSelect, onOpen, onMenu, onShown } = props;
  const asking = useContextMenu(onMenu ?? (() => {}));
  const byId = useMemo(() => new Map(items.map((item) => [idOf(item), item])), [items, idOf]);
  const open = (key: Key) => {
    const item = byId.get(String(key));
    if (item) onOpen?.(item);
  };
  const [first] = columns;
  return (
    <div className={styles.frame} {...(onMenu && asking)}>
      <Table
        className={styles.grid ?? ""}
        aria-label={label}
        selectionMode={onSelect ? "multiple" : "none"}
        selectionBehavior="replace"
        {...(selection && { selectedKeys: selection })}
        {...(onSelect && { onSelectionChange: onSelect })}
        {...(onOpen && { onRowAction: open })}
      >
        <TableHeader>
          {columns.map((column) => (
            <Column
              key={column.id}
              id={column.id}
              className={styles.head ?? ""}
              isRowHeader={column === first}
              style={column.width === undefined ? {} : { inlineSize: column.width }}
              data-align={column.align}
              data-wide={column.isWide || undefined}
            >
              {column.isForButtons ? <span className="hidden-text">{column.title}</span> : column.title}
            </Column>
          ))}
        </TableHeader>
        <TableBody items={items} dependencies={[columns, onOpen]}>
          {(item) => (
            <Row
              id={idOf(item)}
              ref={(row) => {
                if (row) onShown?.(item, row);
              }}
              className={styles.row ?? ""}
              textValue={nameOf(item)}
            >
              {columns.map((column) => (
                <Cell
                  key={column.id}
                  className={styles.cell ?? ""}
                  data-align={column.align}
                  data-wide={column.isWide || undefined}
                  data-wraps={column.wraps || undefined}
                  data-buttons={column.isForButtons || undefined}
                >
                  {column.cell(item)}
                </Cell>
              ))}
            </Row>
          )}
        </TableBody>
      </Table>
    </div>
  );
}
