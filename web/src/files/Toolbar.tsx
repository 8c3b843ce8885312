import { Copy, Download, FilePlus, FolderInput, FolderPlus, PencilLine, Share2, Trash2 } from "lucide-react";
import { Button } from "~/controls/Button";
import { useMessages } from "~/messages";
import { UploadControls } from "~/uploads";
import styles from "./Toolbar.module.css";
import type { FileCommands } from "./useFileCommands";

/** What can be done here, and with what is selected. */
export function Toolbar({ commands }: { commands: FileCommands }) {
  const { t } = useMessages();
  const { selected, canChangeAll, openDialog } = commands;
  const hasSome = selected.length > 0;
  const [only] = selected;
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={t("files.actions")}>
      <UploadControls folder={commands.path} />
      <Button icon={FolderPlus} iconOnly="narrow" onPress={() => openDialog({ kind: "newFolder" })}>
        {t("files.newFolder")}
      </Button>
      <Button icon={FilePlus} iconOnly="narrow" onPress={() => openDialog({ kind: "newFile" })}>
        {t("files.newFile")}
      </Button>
      <span className={styles.gap} />
      <Button
        look="quiet"
        icon={Download}
        iconOnly="medium"
        isDisabled={!hasSome}
        onPress={() => commands.download(selected)}
      >
        {t("files.download")}
      </Button>
      <Button
        look="quiet"
        icon={Share2}
        iconOnly="medium"
        isDisabled={selected.length !== 1}
        onPress={() => only && openDialog({ kind: "share", entry: only })}
      >
        {t("links.share")}
      </Button>
      <Button
        look="quiet"
        icon={PencilLine}
        iconOnly="medium"
        isDisabled={selected.length !== 1 || !canChangeAll}
        onPress={commands.startRename}
      >
        {t("files.rename")}
      </Button>
      <Button
        look="quiet"
        icon={FolderInput}
        iconOnly="medium"
        isDisabled={!canChangeAll}
        onPress={() => openDialog({ kind: "move", entries: selected })}
      >
        {t("files.moveTo")}
      </Button>
      <Button
        look="quiet"
        icon={Copy}
        iconOnly="medium"
        isDisabled={!hasSome}
        onPress={() => openDialog({ kind: "copy", entries: selected })}
      >
        {t("files.copyTo")}
      </Button>
      <Button look="quiet" icon={Trash2} iconOnly="medium" isDisabled={!canChangeAll} onPress={commands.askOrDelete}>
        {t("files.delete")}
      </Button>
    </div>
  );
}
