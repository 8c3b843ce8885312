import type { Node } from "@react-types/shared";
import type { ListState } from "react-stately/useListState";
import { useMessages } from "~/messages";
import type { Entry } from "./entries";
import { PlaceText } from "./PlaceText";
import { parentPath } from "./path";
import { Thumbnail } from "./Thumbnail";
import styles from "./TileGrid.module.css";
import { useFileItem } from "./useFileItem";

type Place = { top: number; height: number; column: number; perRow: number };
type Props = {
  node: Node<Entry>;
  state: ListState<Entry>;
  folder: string;
  place: Place;
  onOpen: (entry: Entry) => void;
};

export function FileTile({ node, state, folder, place, onOpen }: Props) {
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
        {parentPath(entry.path) === folder ? (
          <span className={styles.size}>{entry.isDirectory ? "" : formats.size(entry.size)}</span>
        ) : (
          <PlaceText path={entry.path} />
        )}
      </div>
    </div>
  );
}
