import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { type Entry, nameOf } from "~/files";
import { useMessages } from "~/messages";
import { PreviewBody } from "./PreviewBody";
import styles from "./PreviewDialog.module.css";
import { PreviewHeader } from "./PreviewHeader";
import { useTurning } from "./useTurning";

type Props = {
  path: string;
  files: readonly Entry[];
  isEdited: boolean;
  onShow: (path: string) => void;
  onEdit: (isEdited: boolean) => void;
  onClose: () => void;
};

/** One file over the whole page. */
export function PreviewDialog({ path, files, isEdited, onShow, onEdit, onClose }: Props) {
  const { t } = useMessages();
  const name = nameOf(path);
  const index = files.findIndex((entry) => entry.path === path);
  const entry = files[index];
  const before = isEdited ? undefined : files[index - 1];
  const after = isEdited || index < 0 ? undefined : files[index + 1];
  const onBefore = before && (() => onShow(before.path));
  const onAfter = after && (() => onShow(after.path));
  useTurning(onBefore, onAfter);
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
          <div className={styles.frame}>
            <PreviewHeader
              path={path}
              place={index < 0 ? null : { number: index + 1, count: files.length }}
              canEdit={entry?.readOnly !== true && !isEdited}
              onBefore={onBefore}
              onAfter={onAfter}
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
