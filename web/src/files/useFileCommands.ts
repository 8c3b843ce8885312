import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useCallback, useMemo, useState } from "react";
import type { Selection } from "react-aria-components";
import type { MenuPlace } from "~/controls/useContextMenu";
import { useIsReadOnly } from "~/locations";
import { useMessages } from "~/messages";
import { FileActions } from "./actions";
import { download } from "./download";
import { canChange, type Entry } from "./entries";
import type { FileCollection } from "./FileCollection";
import type { Folder } from "./useFolder";

export type OpenDialog =
  | { kind: "newFolder" }
  | { kind: "newFile" }
  | { kind: "delete"; entries: Entry[] }
  | { kind: "share"; entry: Entry }
  | { kind: "move" | "copy"; entries: Entry[] };

export type FileCommands = ReturnType<typeof useFileCommands>;

/** What can be done in a folder, by buttons, menus and keys alike. */
export function useFileCommands(path: string, folder: Folder, collection: FileCollection) {
  const client = useQueryClient();
  const { t } = useMessages();
  const actions = useMemo(() => new FileActions(client, t), [client, t]);
  const [selection, select] = useState<Selection>(new Set());
  const [renaming, setRenaming] = useState<string | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [menu, setMenu] = useState<MenuPlace | null>(null);

  const selected = useMemo(() => {
    if (selection === "all") return [...collection.entries];
    return [...selection].flatMap((key) => collection.entryOf(key) ?? []);
  }, [selection, collection]);
  const canChangeAll = selected.length > 0 && selected.every(canChange);

  const canAdd = !useIsReadOnly(path);
  const isThere = !folder.error || folder.entries.length > 0;

  const startRename = () => {
    const [only] = selected;
    if (selected.length === 1 && only && canChange(only)) setRenaming(only.path);
  };
  const finishRename = useCallback(
    (entry: Entry, newName: string | null): string => {
      setRenaming(null);
      const path = newName === null ? entry.path : actions.rename(entry, newName);
      select(new Set([path]));
      return path;
    },
    [actions],
  );
  const askOrDelete = () => {
    if (!canChangeAll) return;
    if (!folder.hasBin) return setDialog({ kind: "delete", entries: selected });
    // While something is selected a touch selects, too, instead of opening.
    select(new Set());
    void actions.delete(selected, false);
  };
  /** Of what is selected, with the item that it was asked for. */
  const openMenu = (place: MenuPlace) => {
    if (selection !== "all" && !selection.has(place.key)) select(new Set([place.key]));
    setMenu(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "F2") startRename();
    else if (event.key === "Delete") askOrDelete();
    else return;
    event.preventDefault();
  };

  return {
    path,
    actions,
    selection,
    select,
    selected,
    canChangeAll,
    /** False where the account may only read. */
    canAdd,
    /** False where there is no such folder, or it cannot be shown. */
    isThere,
    renaming,
    startRename,
    finishRename,
    dialog,
    openDialog: setDialog,
    closeDialog: () => setDialog(null),
    askOrDelete,
    menu,
    openMenu,
    closeMenu: () => setMenu(null),
    download: (entries: readonly Entry[]) => download(entries, path),
    onKeyDown,
  };
}
