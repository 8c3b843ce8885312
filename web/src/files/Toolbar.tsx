import { FilePlus, FolderPlus, Lock } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { Button } from "~/controls/Button";
import { useSmall } from "~/controls/useMedia";
import { useMessages } from "~/messages";
import { UploadControls } from "~/uploads/UploadControls";
import { itemActions } from "./item-actions";
import styles from "./Toolbar.module.css";
import type { FileCommands } from "./useFileCommands";

/** Why some buttons cannot be pressed. */
const ONLY_READ = "only-read";

/** The actions in this folder, and on the selected items. */
export function Toolbar({ commands }: { commands: FileCommands }) {
  const { t } = useMessages();
  const { openDialog, canAdd, isThere, selected } = commands;
  const isSelecting = selected.length > 0;
  const actions = useSmall() && !isSelecting ? [] : itemActions(commands);
  const adding = {
    iconOnly: "small",
    isDisabled: !(canAdd && isThere),
    ...(!canAdd && { "aria-describedby": ONLY_READ }),
  } as const;
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (bar.current) return keepFitting(bar.current);
  });
  return (
    <div
      ref={bar}
      className={styles.toolbar}
      role="toolbar"
      aria-label={t("files.actions")}
      data-selecting={isSelecting || undefined}
    >
      <span className={styles.adding}>
        <UploadControls folder={commands.path} isOff={!isThere} reasonId={ONLY_READ} />
        <Button {...adding} icon={FolderPlus} onPress={() => openDialog({ kind: "newFolder" })}>
          {t("files.newFolder")}
        </Button>
        <Button {...adding} icon={FilePlus} onPress={() => openDialog({ kind: "newFile" })}>
          {t("files.newFile")}
        </Button>
        <span className={styles.gap} />
      </span>
      <span className={styles.doing}>
        {actions.map(({ text, icon, isPossible, run }) => (
          <Button key={text} look="quiet" icon={icon} iconOnly="medium" isDisabled={!isPossible} onPress={run}>
            {t(text)}
          </Button>
        ))}
      </span>
      {!canAdd && (
        <p id={ONLY_READ} className={styles.note}>
          <Lock size={16} aria-hidden />
          {t("files.onlyRead")}
        </p>
      )}
    </div>
  );
}

/** Shows buttons as icons alone where their texts do not fit into one row: those for a selection first. */
function keepFitting(bar: HTMLElement): () => void {
  const choose = () => {
    for (const icons of ["none", "medium", "small"]) {
      bar.dataset.icons = icons;
      if (bar.scrollWidth <= bar.clientWidth) return;
    }
  };
  choose();
  const observer = new ResizeObserver(choose);
  observer.observe(bar);
  return () => observer.disconnect();
}
