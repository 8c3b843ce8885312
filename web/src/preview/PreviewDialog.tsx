import type { KeyboardEvent } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import type { Entry } from "~/files/entries";
import { nameOf } from "~/files/path";
import { useMessages } from "~/messages";
import { PreviewBody } from "./PreviewBody";
import styles from "./PreviewDialog.module.css";
import { PreviewHeader } from "./PreviewHeader";

type Props = {
  path: string;
  files: readonly Entry[];
  isEdited: boolean;
  onShow: (path: string) => void;
  onEdit: (isEdited: boolean) => void;
  onClose: () => void;
};

/** What has keys of its own: players seek by arrows, texts move their caret. */
const OWN_KEYS = "video, audio, input, textarea, select, [data-own-keys]";

/** One file over the whole page. */
export function PreviewDialog({ path, files, isEdited, onShow, onEdit, onClose }: Props) {
  const { t } = useMessages();
  const name = nameOf(path);
  const index = files.findIndex((entry) => entry.path === path);
  const entry = files[index];
  const before = isEdited ? undefined : files[index - 1];
  const after = isEdited || index < 0 ? undefined : files[index + 1];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if ((event.target as Element).closest(OWN_KEYS)) return;
    const isBackwards = document.documentElement.dir === "rtl";
    const next = event.key === (isBackwards ? "ArrowRight" : "ArrowLeft") ? before : undefined;
    const target = next ?? (event.key === (isBackwards ? "ArrowLeft" : "ArrowRight") ? after : undefined);
    if (!target) return;
    event.preventDefault();
    onShow(target.path);
  };
  return (
    <ModalOverlay
      className={styles.overlay ?? ""}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className={styles.modal ?? ""}>
        <Dialog className={styles.dialog ?? ""} aria-label={t("preview.title", { name })}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: keys that come from what is in it */}
          <div className={styles.frame} onKeyDown={onKeyDown}>
            <PreviewHeader
              path={path}
              place={index < 0 ? null : { number: index + 1, count: files.length }}
              canEdit={entry?.readOnly !== true && !isEdited}
              onBefore={before && (() => onShow(before.path))}
              onAfter={after && (() => onShow(after.path))}
              onEdit={() => onEdit(true)}
              onClose={onClose}
            />
            <PreviewBody key={path} path={path} entry={entry} isEdited={isEdited} onEdit={onEdit} />
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
