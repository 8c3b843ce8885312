import type { KeyboardDelegate, LayoutDelegate } from "@react-types/shared";
import type { RefObject } from "react";
import { useGridList } from "react-aria/useGridList";
import type { Selection } from "react-aria-components";
import { useListState } from "react-stately/useListState";
import { useMessages } from "~/messages";
import type { Entry } from "./entries";
import type { FileCollection } from "./FileCollection";
import { useFocusWhenThere } from "./useFocusedRow";
import { useTypeAhead } from "./useTypeAhead";

/** What every view of a folder's entries is given. */
export type FileListProps = {
  collection: FileCollection;
  /** The folder that is looked at: what lies elsewhere says where. */
  folder: string;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onOpen: (entry: Entry) => void;
  onKeyDown: (event: React.KeyboardEvent) => void;
  /** The path of what is being renamed in place; null for nothing. */
  renaming: string | null;
  /** The new name; null where it stays. Gives the path that the entry has then. */
  onRename: (entry: Entry, newName: string | null) => string;
};

type Delegates = {
  layoutDelegate: LayoutDelegate;
  keyboardDelegate?: KeyboardDelegate;
  /** `tab` where arrows to the sides lead to other entries. */
  keyboardNavigationBehavior?: "arrow" | "tab";
};

/** Selection, keys and roles of the entries, however they are laid out. */
export function useFileList(
  { collection, selection, onSelect, onRename }: FileListProps,
  ref: RefObject<HTMLDivElement | null>,
  delegates: Delegates,
) {
  const { t } = useMessages();
  const state = useListState<Entry>({
    collection,
    // The collection is given as it is; nothing is built from children.
    children: [],
    selectionMode: "multiple",
    selectionBehavior: "replace",
    selectedKeys: selection,
    onSelectionChange: onSelect,
  });
  const { gridProps } = useGridList(
    {
      "aria-label": t("files.title"),
      isVirtualized: true,
      disallowTypeAhead: true,
      ...delegates,
    },
    state,
    ref,
  );
  const { selectionManager } = state;
  const focused = collection.indexOf(selectionManager.focusedKey);
  const focusOn = useFocusWhenThere(collection, selectionManager);
  const typeAhead = useTypeAhead(collection, focused, (path) => {
    selectionManager.replaceSelection(path);
    selectionManager.setFocusedKey(path);
  });
  const finishRename = (entry: Entry, newName: string | null, byKey: boolean) => {
    const path = onRename(entry, newName);
    if (byKey) focusOn(path);
  };
  return { state, gridProps, finishRename, focused, typeAhead };
}
