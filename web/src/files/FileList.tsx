import { Link, useRouter } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, CircleAlert, FolderOpen, SearchX } from "lucide-react";
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef } from "react";
import { Button as PlainButton } from "react-aria-components/Button";
import type { FolderOrder, Sort } from "~/api/keys";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { later } from "~/controls/later";
import { useContextMenu } from "~/controls/useContextMenu";
import { useSmall } from "~/controls/useMedia";
import { useMessages } from "~/messages";
import type { Entry } from "~/model/entries";
import { folderLink } from "~/model/folder-address";
import type { FileCollection } from "./FileCollection";
import { FileGrid } from "./FileGrid";
import fileGridStyles from "./FileGrid.module.css";
import styles from "./FileList.module.css";
import folderViewStyles from "./FolderView.module.css";
import type { FileCommands } from "./useFileCommands";
import type { Folder } from "./useFolder";
import type { Column, View } from "./view";

const TileGrid = later(async () => (await import("./TileGrid")).TileGrid, {
  waiting: <FolderSkeleton />,
  fills: "place",
});

const FileMenu = later(async () => (await import("./FileMenu")).FileMenu);

const WIDTHS: Record<Column, string> = { modified: "184px", size: "104px", kind: "88px", created: "184px" };

/** The orders of tiles, beside the one by name. */
const OF_TILES: readonly Column[] = ["modified", "size"];

type FileListProps = {
  view: View;
  order: FolderOrder;
  path: string;
  wayBack: string | undefined;
  folder: Folder;
  filter: string;
  isSearching: boolean;
  collection: FileCollection;
  commands: FileCommands;
  onOpen: (entry: Entry) => void;
};

/** The entries, as the account looks at them. */
export function FileList(props: FileListProps) {
  const { view, order, path, wayBack, folder, filter, isSearching, collection, commands, onOpen } = props;
  // Another order begins at its top: what had the focus may stand anywhere in it.
  const ordered = `${order.sort} ${order.order}`;
  const of = `${ordered} ${path}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one for each folder and order
  const inSight = useMemo(() => ({ current: 0 }), [of]);
  const list = {
    inSight,
    collection,
    folder: path,
    wayBack,
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
    <div className={folderViewStyles.list} style={widths} {...asking}>
      <GridHead {...order} columns={columns} />
      <FolderState
        folder={folder}
        filter={filter}
        isSearching={isSearching}
        count={collection.size}
        commands={commands}
      >
        {view.layout === "list" ? (
          <FileGrid key={ordered} {...list} columns={columns} />
        ) : (
          <TileGrid key={ordered} {...list} />
        )}
      </FolderState>
      {commands.menu && <FileMenu place={commands.menu} commands={commands} onOpen={onOpen} />}
    </div>
  );
}

type FolderStateProps = {
  folder: Folder;
  filter: string;
  isSearching: boolean;
  count: number;
  commands: FileCommands;
  children: ReactNode;
};

/** The list, or what stands in its place. */
function FolderState({ folder, filter, isSearching, count, commands, children }: FolderStateProps) {
  const { t } = useMessages();
  const hasShown = useRef(false);
  useEffect(() => {
    hasShown.current ||= count > 0;
  }, [count]);
  if (folder.isPending) return <FolderSkeleton />;
  if (folder.error && folder.entries.length === 0) {
    return (
      <EmptyState icon={CircleAlert} tone="danger" title={t(sentenceKey(folder.error))}>
        <Button onPress={folder.reload}>{t("app.retry")}</Button>
        <Link {...folderLink("")}>{t("app.toFiles")}</Link>
      </EmptyState>
    );
  }
  if (count > 0) return children;
  if (isSearching) return <FolderSkeleton />;
  if (filter !== "") return <EmptyState icon={SearchX} title={t("files.noMatch", { text: filter })} />;
  if (!commands.canAdd) {
    return <EmptyState icon={FolderOpen} title={t("files.empty")} hint={t("files.emptyReadOnly")} />;
  }
  return (
    <EmptyState icon={FolderOpen} title={t("files.empty")} hint={t("files.emptyHint")}>
      {/* What goes with its last item takes the focus along. */}
      <Button
        autoFocus={hasShown.current && isFocusInList()}
        onPress={() => commands.openDialog({ kind: "newFolder" })}
      >
        {t("files.newFolder")}
      </Button>
    </EmptyState>
  );
}

function isFocusInList(): boolean {
  const focused = document.activeElement;
  return focused === document.body || focused?.closest("[role=grid]") != null;
}

const ROWS = [62, 41, 55, 34, 68, 47, 38, 59];

/** Rows to come. */
function FolderSkeleton() {
  const { t } = useMessages();
  return (
    <div className={styles.skeleton} role="status" aria-label={t("files.loading")}>
      {ROWS.map((share) => (
        <div key={share} className={styles.row}>
          <span className={styles.bar} style={{ inlineSize: `${share / 2}%` }} />
        </div>
      ))}
    </div>
  );
}

/** The server has no order by the others. */
const SORTED: readonly string[] = ["name", "modified", "size"] satisfies Sort[];

type GridHeadProps = FolderOrder & { columns: readonly Column[] };

/** The column heads, which sort the list. They stand outside the grid, whose keys belong to its rows. */
function GridHead({ sort, order, columns }: GridHeadProps) {
  const { t } = useMessages();
  const router = useRouter();
  const sortBy = (column: Sort) => {
    const next = column === sort && order === "asc" ? "desc" : "asc";
    void router.navigate({ to: ".", search: (old) => ({ ...old, sort: column, order: next }), replace: true });
  };
  const Arrow = order === "asc" ? ArrowUp : ArrowDown;
  const all = ["name", ...columns] as const;
  return (
    <div className={fileGridStyles.head}>
      {all.map((column) =>
        SORTED.includes(column) ? (
          <PlainButton
            key={column}
            className={fileGridStyles.sort ?? ""}
            aria-label={t("files.sortBy", { column: t(`files.${column}`) })}
            aria-pressed={column === sort}
            data-column={column}
            data-chosen={column === sort || undefined}
            onPress={() => sortBy(column as Sort)}
          >
            {t(`files.${column}`)}
            {column === sort && <Arrow size={14} aria-hidden />}
          </PlainButton>
        ) : (
          <span key={column} className={fileGridStyles.column}>
            {t(`files.${column}`)}
          </span>
        ),
      )}
    </div>
  );
}
