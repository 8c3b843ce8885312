import { RotateCcw, Trash2 } from "lucide-react";
import { ContextMenu } from "~/controls/ContextMenu";
import type { MenuPlace } from "~/controls/useContextMenu";
import { useMessages } from "~/messages";
import { nameOf } from "./columns";
import type { BinItem } from "./query";

type Props = {
  place: MenuPlace;
  items: readonly BinItem[];
  onRestore: () => void;
  onDiscard: () => void;
  onClose: () => void;
};

/** What can be done with what is selected in the bin, where one has asked for it. */
export function BinMenu({ place, items, onRestore, onDiscard, onClose }: Props) {
  const { t } = useMessages();
  const [only] = items.length === 1 ? items : [];
  const label = only ? t("files.actionsFor", { name: nameOf(only) }) : t("files.selected", { count: items.length });
  const actions = [
    { text: t("bin.restore"), icon: RotateCcw, run: onRestore },
    { text: t("bin.discard"), icon: Trash2, run: onDiscard },
  ];
  return <ContextMenu place={place} label={label} actions={actions} onClose={onClose} />;
}
