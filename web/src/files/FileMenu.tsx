import { FolderOpen, Languages, PackageOpen } from "lucide-react";
import { ContextMenu, type MenuAction } from "~/controls/ContextMenu";
import type { MenuPlace } from "~/controls/useContextMenu";
import { useMessages } from "~/messages";
import type { Entry } from "~/model/entries";
import { archiveStem, hasNamesOfItsMaker, unpack } from "~/transfer/unpack";
import { itemActions } from "./item-actions";
import type { FileCommands } from "./useFileCommands";

type Props = { place: MenuPlace; commands: FileCommands; onOpen: (entry: Entry) => void };

/** The menu of the selected items, at the place of the click. */
export function FileMenu({ place, commands, onOpen }: Props) {
  const { t } = useMessages();
  const { selected, actions, path, canAdd } = commands;
  const [only] = selected.length === 1 ? selected : [];
  const label = only ? t("files.actionsFor", { name: only.name }) : t("files.selected", { count: selected.length });
  const first: MenuAction[] = only ? [{ text: t("files.open"), icon: FolderOpen, run: () => onOpen(only) }] : [];
  if (only && archiveStem(only) !== null) {
    const run = () => void unpack(actions, only, path);
    first.push({ text: t("files.unpack"), icon: PackageOpen, isPossible: canAdd, run });
  }
  if (only && hasNamesOfItsMaker(only)) {
    const ask = () => commands.openDialog({ kind: "unpack", entry: only });
    first.push({ text: t("files.unpackWithOtherNames"), icon: Languages, isPossible: canAdd, run: ask });
  }
  const others = itemActions(commands).map(({ text, ...action }) => ({ ...action, text: t(text) }));
  return <ContextMenu place={place} label={label} actions={[...first, ...others]} onClose={commands.closeMenu} />;
}
