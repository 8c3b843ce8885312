import { useRouter } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { FolderOrder } from "~/api/keys";
import { Settled } from "~/controls/Settled";
import { folderLink, keptSearch } from "~/locations";
import { PreviewLayer, previewName } from "~/preview";
import { filesRoute } from "~/routes";
import { useFound, useSearchText } from "~/search";
import { DialogsOfFiles } from "./DialogsOfFiles";
import type { Entry } from "./entries";
import { FileList } from "./FileList";
import styles from "./FolderView.module.css";
import { PathBar } from "./PathBar";
import { StatusLine } from "./StatusLine";
import { Toolbar } from "./Toolbar";
import { useClipboardKeys } from "./useClipboardKeys";
import { useFileCommands } from "./useFileCommands";
import { useFolder } from "./useFolder";
import { useShownEntries } from "./useShownEntries";
import { ViewButtons } from "./ViewButtons";
import { useView } from "./view";

const SearchScope = lazy(async () => ({ default: (await import("~/search/SearchScope")).SearchScope }));
const DetailsPanel = lazy(async () => ({ default: (await import("./DetailsPanel")).DetailsPanel }));

type Props = { path: string } & FolderOrder;

/** One folder: where it is, what can be done, and what is in it. */
export function FolderView({ path, sort, order }: Props) {
  const router = useRouter();
  const { everywhere = false, details } = filesRoute.useSearch();
  const [view, changeView] = useView();
  const folder = useFolder(path, { sort, order });
  const filter = useSearchText();
  const found = useFound(filter, everywhere ? "" : path);
  const collection = useShownEntries(folder.entries, filter, found.entries, { sort, order });
  const commands = useFileCommands(path, folder, collection);
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
    <div className={styles.view}>
      <div className={styles.top}>
        <PathBar path={path} />
        <ViewButtons view={view} onChange={changeView} hasDetails={hasDetails} onDetails={setDetails} />
      </div>
      <Settled first={<div className={styles.toolbar} />} once="toolbar">
        <Toolbar commands={commands} />
      </Settled>
      {filter !== "" && (
        <Suspense>
          <SearchScope isRoot={path === ""} isEverywhere={everywhere} count={collection.size} found={found} />
        </Suspense>
      )}
      <div className={styles.middle}>
        <FileList
          view={view}
          order={{ sort, order }}
          path={path}
          folder={folder}
          filter={filter}
          isSearching={found.isRunning}
          collection={collection}
          commands={commands}
          onOpen={open}
        />
        {hasDetails && (
          <Suspense>
            <DetailsPanel path={path} entries={commands.selected} onClose={() => setDetails(false)} />
          </Suspense>
        )}
      </div>
      <StatusLine count={collection.size} isComplete={folder.isComplete} commands={commands} />
      <DialogsOfFiles path={path} commands={commands} />
      <PreviewLayer
        folder={path}
        entries={collection.entries}
        onClose={(shown) => commands.select(new Set(collection.indexOf(shown) < 0 ? [] : [shown]))}
      />
    </div>
  );
}
