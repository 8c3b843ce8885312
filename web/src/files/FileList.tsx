import { type CSSProperties, lazy, Suspense, useMemo } from "react";
import type { FolderOrder } from "~/api/keys";
import { Settled } from "~/controls/Settled";
import { useContextMenu } from "~/controls/useContextMenu";
import { useSmall } from "~/controls/useMedia";
import type { Entry } from "./entries";
import type { FileCollection } from "./FileCollection";
import { FileGrid } from "./FileGrid";
import { FolderSkeleton } from "./FolderSkeleton";
import { FolderState } from "./FolderState";
import styles from "./FolderView.module.css";
import { GridHead } from "./GridHead";
import type { FileCommands } from "./useFileCommands";
import type { Folder } from "./useFolder";
import type { Column, View } from "./view";

const TileGrid = lazy(async () => ({ default: (await import("./TileGrid")).TileGrid }));

const FileMenu = lazy(async () => ({ default: (await import("./FileMenu")).FileMenu }));

const WIDTHS: Record<Column, string> = { modified: "184px", size: "104px", kind: "88px", created: "184px" };

/** What tiles can be sorted by, beside their names. */
const OF_TILES: readonly Column[] = ["modified", "size"];

type Props = {
  view: View;
  order: FolderOrder;
  path: string;
  folder: Folder;
  filter: string;
  isSearching: boolean;
  collection: FileCollection;
  commands: FileCommands;
  onOpen: (entry: Entry) => void;
};

/** The entries, as the account looks at them. */
export function FileList(props: Props) {
  const { view, order, path, folder, filter, isSearching, collection, commands, onOpen } = props;
  const list = {
    collection,
    folder: path,
    selection: commands.selection,
    onSelect: commands.select,
    onOpen,
    onKeyDown: commands.onKeyDown,
    renaming: commands.renaming,
    onRename: commands.finishRename,
  };
  const asking = useContextMenu(commands.openMenu);
  const isSmall = useSmall();
  const chosen = view.layout === "list" ? view.columns : OF_TILES;
  const columns = useMemo(() => (isSmall ? chosen.filter((column) => column === "size") : chosen), [isSmall, chosen]);
  const widths = { "--columns": columns.map((column) => WIDTHS[column]).join(" ") } as CSSProperties;
  return (
    <div className={styles.list} style={widths} {...asking}>
      <GridHead {...order} columns={columns} />
      <FolderState
        folder={folder}
        filter={filter}
        isSearching={isSearching}
        count={collection.size}
        commands={commands}
      >
        {view.layout === "list" ? (
          <Settled first={<FolderSkeleton />}>
            <FileGrid {...list} columns={columns} />
          </Settled>
        ) : (
          <Suspense fallback={<FolderSkeleton />}>
            <TileGrid {...list} />
          </Suspense>
        )}
      </FolderState>
      {commands.menu && (
        <Suspense>
          <FileMenu place={commands.menu} commands={commands} onOpen={onOpen} />
        </Suspense>
      )}
    </div>
  );
}
