import { Copy, Download, FolderInput, type LucideIcon, PencilLine, Share2, Trash2 } from "lucide-react";
import type { Key } from "~/messages";
import type { FileCommands } from "./useFileCommands";

type Text = Extract<
  Key,
  "files.download" | "links.share" | "files.rename" | "files.moveTo" | "files.copyTo" | "files.delete"
>;
type ItemAction = { text: Text; icon: LucideIcon; isPossible: boolean; run: () => void };

/** The actions on the selected items, for the toolbar and the menu. */
export function itemActions(commands: FileCommands): ItemAction[] {
  const { selected, canChangeAll, openDialog, withSelected, changeSelected } = commands;
  const hasSome = selected.length > 0;
  const [only] = selected.length === 1 ? selected : [];
  return [
    { text: "files.download", icon: Download, isPossible: hasSome, run: commands.download },
    {
      text: "links.share",
      icon: Share2,
      isPossible: only !== undefined,
      run: () => only && openDialog({ kind: "share", entry: only }),
    },
    {
      text: "files.rename",
      icon: PencilLine,
      isPossible: only !== undefined && canChangeAll,
      run: commands.startRename,
    },
    {
      text: "files.moveTo",
      icon: FolderInput,
      isPossible: canChangeAll,
      run: () => changeSelected((entries) => openDialog({ kind: "move", entries })),
    },
    {
      text: "files.copyTo",
      icon: Copy,
      isPossible: hasSome,
      run: () => withSelected((entries) => openDialog({ kind: "copy", entries })),
    },
    { text: "files.delete", icon: Trash2, isPossible: canChangeAll, run: commands.askOrDelete },
  ];
}
