import { useParams, useRouter } from "@tanstack/react-router";
import { Columns3, LayoutGrid, PanelRight } from "lucide-react";
import type { ReactNode } from "react";
import { ToggleButton } from "react-aria-components/ToggleButton";
import type { FolderOrder } from "~/api/keys";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { later } from "~/controls/later";
import { OnDemand } from "~/controls/OnDemand";
import { nameByTitle, useSmall } from "~/controls/useMedia";
import { useMessages, withPageTexts } from "~/messages";
import type { Entry } from "~/model/entries";
import { folderLink, keptSearch, orderOf, previewName, useFilesSearch } from "~/model/folder-address";
import { folderOf } from "~/model/path";
import { useWayBack } from "~/model/way-back";
import { PreviewLayer } from "~/preview/PreviewLayer";
import { useFound } from "~/search/found";
import { useSearchText } from "~/search/useSearchText";
import { DialogsOfFiles } from "./DialogsOfFiles";
import { FileList } from "./FileList";
import styles from "./FilesPage.module.css";
import folderViewStyles from "./FolderView.module.css";
import { PathBar } from "./PathBar";
import { Toolbar } from "./Toolbar";
import { type FileCommands, useClipboardKeys, useFileCommands } from "./useFileCommands";
import { type Folder, useFolder, useShownEntries } from "./useFolder";
import { useView, type View } from "./view";

/** A folder of any location; the address has one segment for each folder on the way. */
export function FilesPage(): ReactNode {
  const { _splat } = useParams({ strict: false });
  const { sort, order } = orderOf(useFilesSearch());
  const path = folderOf(_splat);
  const wayBack = useWayBack(path);
  // Another folder begins anew: nothing selected, at its top.
  return <FolderView key={path} path={path} wayBack={wayBack} sort={sort} order={order} />;
}

const SearchScope = later(() => withPageTexts(async () => (await import("~/search/SearchScope")).SearchScope));
const DetailsPanel = later(() => withPageTexts(async () => (await import("./DetailsPanel")).DetailsPanel));

type FolderViewProps = { path: string; wayBack: string | undefined } & FolderOrder;

/** One folder: where it is, what can be done, and what is in it. */
export function FolderView({ path, wayBack, sort, order }: FolderViewProps) {
  const router = useRouter();
  const { everywhere = false, details } = useFilesSearch();
  const [view, changeView] = useView();
  const folder = useFolder(path, { sort, order });
  const filter = useSearchText();
  const found = useFound(filter, everywhere ? "" : path);
  const collection = useShownEntries(folder, filter, found, { sort, order });
  const commands = useFileCommands(path, folder, `${everywhere} ${filter}`, collection);
  useClipboardKeys(commands);
  const hasDetails = details ?? view.details;
  const setDetails = (isOpen: boolean) => {
    changeView({ details: isOpen });
    void router.navigate({ to: ".", search: (old) => ({ ...old, details: isOpen }) });
  };
  const open = (entry: Entry) => {
    if (entry.isDirectory) void router.navigate({ ...folderLink(entry.path), search: keptSearch });
    else void router.navigate({ to: ".", search: (old) => ({ ...old, preview: previewName(path, entry.path) }) });
  };
  return (
    <div className={folderViewStyles.view}>
      <div className={folderViewStyles.top}>
        <PathBar path={path} />
        <ViewButtons view={view} onChange={changeView} hasDetails={hasDetails} onDetails={setDetails} />
      </div>
      <Toolbar commands={commands} />
      {filter !== "" && (
        <SearchScope isRoot={path === ""} isEverywhere={everywhere} count={collection.size} found={found} />
      )}
      <div className={folderViewStyles.middle}>
        <FileList
          view={view}
          order={{ sort, order }}
          path={path}
          wayBack={wayBack}
          folder={folder}
          filter={filter}
          isSearching={found.isRunning}
          collection={collection}
          commands={commands}
          onOpen={open}
        />
        {hasDetails && (
          <DetailsPanel
            path={path}
            entries={commands.selected}
            hasVersions={folder.hasVersions}
            onClose={() => setDetails(false)}
          />
        )}
      </div>
      <StatusLine count={collection.size} folder={folder} commands={commands} />
      <DialogsOfFiles path={path} commands={commands} />
      <PreviewLayer
        folder={path}
        entries={collection.entries}
        onClose={(shown) => commands.select(new Set(collection.indexOf(shown) < 0 ? [] : [shown]))}
      />
    </div>
  );
}

type StatusLineProps = { count: number; folder: Folder; commands: FileCommands };

/** How many items there are, how many of them are selected, and what the list lacks. */
function StatusLine({ count, folder, commands }: StatusLineProps) {
  const { t, formats } = useMessages();
  const selected = commands.selected.length;
  const isAll = commands.selection === "all" && !commands.isWhole;
  const bytes = commands.selected.reduce((sum, { size }) => sum + size, 0);
  return (
    <footer className={folderViewStyles.status}>
      <span role="status">
        {t("files.count", { count })}
        {!folder.isComplete && "…"}
        {folder.leftOut > 0 && ` · ${t("files.leftOut", { count: folder.leftOut })}`}
        {selected > 0 && ` · ${isAll ? t("files.selectedAll") : t("files.selected", { count: selected })}`}
        {commands.isWaiting && ` · ${t("files.waiting")}`}
        {bytes > 0 && commands.isWhole && ` · ${formats.size(bytes)}`}
      </span>
      {!folder.isComplete && folder.entries.length > 0 && folder.error !== null && (
        <span role="alert">
          {t("files.partial")} {t(sentenceKey(folder.error))}
          <Button look="quiet" onPress={folder.reload}>
            {t("app.retry")}
          </Button>
        </span>
      )}
      {selected > 0 && (
        <Button look="quiet" onPress={() => commands.select(new Set())}>
          {t("files.clearSelection")}
        </Button>
      )}
    </footer>
  );
}

type ViewButtonsProps = {
  view: View;
  onChange: (change: Partial<View>) => void;
  hasDetails: boolean;
  onDetails: (isOpen: boolean) => void;
};

/** How the folder is looked at. */
function ViewButtons({ view, onChange, hasDetails, onDetails }: ViewButtonsProps) {
  const { t } = useMessages();
  // There is room for the name and the size alone.
  const isSmall = useSmall();
  const isGrid = view.layout === "grid";
  return (
    <div className={styles.buttons} role="toolbar" aria-label={t("view.title")}>
      {!isGrid && !isSmall && (
        <span>
          <OnDemand
            load={async () => (await import("./ColumnsMenu")).ColumnsMenu}
            button={(open) => (
              <Button look="quiet" icon={Columns3} iconOnly onPress={open}>
                {t("view.columns")}
              </Button>
            )}
          />
        </span>
      )}
      <ToggleButton
        className={styles.toggle ?? ""}
        onHoverStart={nameByTitle}
        aria-label={t("view.grid")}
        isSelected={isGrid}
        onChange={(isChosen) => onChange({ layout: isChosen ? "grid" : "list" })}
      >
        <LayoutGrid size={16} aria-hidden />
      </ToggleButton>
      <ToggleButton
        className={styles.toggle ?? ""}
        onHoverStart={nameByTitle}
        aria-label={t("view.details")}
        isSelected={hasDetails}
        onChange={onDetails}
      >
        <PanelRight size={16} aria-hidden />
      </ToggleButton>
    </div>
  );
}
