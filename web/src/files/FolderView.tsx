import { useRouter } from "@tanstack/react-router";
import type { FolderOrder } from "~/api/keys";
import { folderLink } from "~/locations";
import { useFilter } from "~/search";
import { DialogsOfFiles } from "./DialogsOfFiles";
import type { Entry } from "./entries";
import { FileGrid } from "./FileGrid";
import { FolderState } from "./FolderState";
import styles from "./FolderView.module.css";
import { useFolder } from "./folder-query";
import { GridHead } from "./GridHead";
import { PathBar } from "./PathBar";
import { StatusLine } from "./StatusLine";
import { Toolbar } from "./Toolbar";
import { useFileCommands } from "./useFileCommands";
import { useShownEntries } from "./useShownEntries";

type Props = { path: string } & FolderOrder;

/** One folder: where it is, what can be done, and what is in it. */
export function FolderView({ path, sort, order }: Props) {
  const router = useRouter();
  const folder = useFolder(path, { sort, order });
  const filter = useFilter();
  const collection = useShownEntries(folder.entries, filter);
  const commands = useFileCommands(path, folder, collection);
  const open = (entry: Entry) => {
    if (entry.isDirectory) void router.navigate({ ...folderLink(entry.path), search: true });
    else commands.download([entry]);
  };
  return (
    <div className={styles.view}>
      <PathBar path={path} />
      <Toolbar commands={commands} />
      <div className={styles.list}>
        <GridHead sort={sort} order={order} />
        <FolderState folder={folder} filter={filter} count={collection.size} commands={commands}>
          <FileGrid
            collection={collection}
            selection={commands.selection}
            onSelect={commands.select}
            onOpen={open}
            onKeyDown={commands.onKeyDown}
            renaming={commands.renaming}
            onRename={commands.finishRename}
          />
        </FolderState>
      </div>
      <StatusLine count={collection.size} isComplete={folder.isComplete} commands={commands} />
      <DialogsOfFiles path={path} commands={commands} />
    </div>
  );
}
