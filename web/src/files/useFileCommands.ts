import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Selection } from "react-aria-components";
import { sentenceKey } from "~/api/problem";
import { laterModule } from "~/controls/later";
import { showToast } from "~/controls/toast-store";
import type { MenuPlace } from "~/controls/useContextMenu";
import { useMessages } from "~/messages";
import { canChange, type Entry } from "~/model/entries";
import { useFolderName, useIsReadOnly } from "~/model/locations";
import { childPath, parentPath } from "~/model/path";
import { hasPageKeys } from "~/shortcuts/store";
import { FileActions } from "~/transfer/actions";
import { clearClipboard, putOnClipboard, readClipboard } from "~/transfer/clipboard";
import type { FileCollection } from "./FileCollection";
import type { Folder } from "./useFolder";

export type OpenDialog =
  | { kind: "newFolder" }
  | { kind: "newFile" }
  | { kind: "delete"; entries: Entry[] }
  | { kind: "share" | "unpack"; entry: Entry }
  | { kind: "move" | "copy"; entries: Entry[] };

/** The path that an item has after its renaming, as far as is known, and once the server has answered. */
export type Renamed = { path: string; inTheEnd: Promise<string> };

type Waiting = { action: Action; selection: Selection; search: string; outlives: boolean };
type Action = (entries: Entry[]) => void;

export type FileCommands = ReturnType<typeof useFileCommands>;

const loadDownload = laterModule(() => import("./download"));

/** The commands of a folder, for buttons, menus and keys. */
export function useFileCommands(path: string, folder: Folder, search: string, collection: FileCollection) {
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
  // Of what is selected some may still be to come: of all of a list, and of a list in another order.
  const isWhole = collection.isWhole || (selection !== "all" && selected.length === selection.size);
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  // Who selects something else meanwhile, or searches, wants it no more.
  if (waiting && (waiting.selection !== selection || waiting.search !== search)) setWaiting(null);
  /** Does it with what is selected, as soon as all of that has come; also elsewhere, if it outlives this folder's page. */
  const withSelected = (action: Action, outlives = false) =>
    isWhole ? action(selected) : setWaiting({ action, selection, search, outlives });
  const changeSelected = (action: Action, outlives = false) =>
    withSelected((entries) => {
      if (entries.length > 0 && entries.every(canChange)) action(entries);
    }, outlives);
  useEffect(() => {
    if (!waiting || (!isWhole && collection.error === null)) return;
    setWaiting(null);
    if (isWhole) waiting.action(selected);
    else showToast({ text: `${t("files.partial")} ${t(sentenceKey(collection.error))}`, tone: "danger" });
  }, [waiting, isWhole, selected, collection, t]);
  useActionBehind(waiting, folder.loadAll, (error) => showToast({ text: t(sentenceKey(error)), tone: "danger" }));
  const canChangeAll = selected.length > 0 && selected.every(canChange);

  const folderName = useFolderName();
  const canAdd = !useIsReadOnly(path);
  const isThere = !folder.error || folder.entries.length > 0;

  const startRename = () => {
    const [only] = selected;
    if (selected.length === 1 && only && canChange(only)) setRenaming(only.path);
  };
  const finishRename = useCallback(
    (entry: Entry, newName: string | null): Renamed => {
      setRenaming(null);
      const wanted = newName === null ? entry.path : childPath(parentPath(entry.path), newName);
      // While the name is refused that another item has, no key may meet that one.
      const path = collection.entryOf(wanted) ? entry.path : wanted;
      select(new Set([path]));
      if (newName === null) return { path, inTheEnd: Promise.resolve(path) };
      const inTheEnd = actions.rename(entry, newName).then((last) => {
        select((now) => (now !== "all" && now.size === 1 && now.has(path) ? new Set([last]) : now));
        return last;
      });
      return { path, inTheEnd };
    },
    [actions, collection],
  );
  const askOrDelete = () =>
    changeSelected((entries) => {
      if (!folder.hasBin) return setDialog({ kind: "delete", entries });
      // While something is selected a touch selects, too, instead of opening.
      select(new Set());
      void actions.delete(entries, false);
    });
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
    isWhole,
    isWaiting: waiting !== null,
    withSelected,
    changeSelected,
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
    download: () =>
      withSelected((entries) => {
        const name = path === "" ? null : folderName(path);
        const begin = async () => (await loadDownload()).download(entries, name);
        begin().catch((error) => {
          showToast({ text: t("files.downloadFailed", { reason: t(sentenceKey(error)) }), tone: "danger" });
        });
      }),
    onKeyDown,
  };
}

/** Of a search the rest never comes once its page has gone. */
const NO_SEARCH = /^(true|false) $/;

/** Does what waits for all of a folder, and is wanted on other pages too, when the folder's own page has gone. */
function useActionBehind(
  waiting: Waiting | null,
  loadAll: () => Promise<Entry[]>,
  onFailed: (error: unknown) => void,
): void {
  const latest = useRef({ waiting, loadAll, onFailed });
  latest.current = { waiting, loadAll, onFailed };
  useEffect(
    () => () => {
      const { waiting, loadAll, onFailed } = latest.current;
      if (!waiting?.outlives || waiting.selection !== "all" || !NO_SEARCH.test(waiting.search)) return;
      // The page's own look at the folder ends with it.
      setTimeout(() => void loadAll().then(waiting.action, onFailed));
    },
    [],
  );
}

/** Ctrl+C, X and V, wherever the focus is on the page: an empty folder has no list to have it. */
export function useClipboardKeys(commands: FileCommands): void {
  const { t } = useMessages();
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const take = (kind: "move" | "copy"): boolean => {
      const { selected, canChangeAll, withSelected, changeSelected } = latest.current;
      const isTextSelected = window.getSelection()?.isCollapsed === false;
      if (selected.length === 0 || isTextSelected || (kind === "move" && !canChangeAll)) return false;
      const doWith = kind === "move" ? changeSelected : withSelected;
      // Until all of it is there nothing else is pasted in its place.
      clearClipboard();
      doWith((entries) => {
        putOnClipboard({ kind, entries });
        showToast({ text: t(kind === "move" ? "files.cut" : "files.copiedForPaste", { count: entries.length }) });
      }, true);
      return true;
    };
    const paste = (): boolean => {
      const clipboard = readClipboard();
      if (!clipboard) return false;
      const { actions, path, canAdd } = latest.current;
      if (!canAdd) {
        showToast({ text: t("files.onlyRead"), tone: "danger" });
        return true;
      }
      // The cut items have a new place now.
      if (clipboard.kind === "move") clearClipboard();
      void actions.transfer(clipboard.kind, clipboard.entries, path);
      return true;
    };
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || !hasPageKeys(event)) return;
      const key = event.key.toLowerCase();
      const isDone = key === "c" ? take("copy") : key === "x" ? take("move") : key === "v" ? paste() : false;
      if (isDone) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [t]);
}
