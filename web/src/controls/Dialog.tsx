import type { ReactNode } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import styles from "./Dialog.module.css";

type Props = {
  title: string;
  children: ReactNode;
  /** Called when it is to be closed: by Escape, a click beside it, or from within. */
  onClose: () => void;
  /** `alertdialog` for a question that must be answered: a click beside it does nothing then. */
  role?: "dialog" | "alertdialog";
  size?: "small" | "medium" | "large";
};

/** A dialog that is open as long as it is there. */
export function Dialog({ title, children, onClose, role = "dialog", size = "small" }: Props) {
  return (
    <ModalOverlay
      className={styles.overlay ?? ""}
      isOpen
      isDismissable={role === "dialog"}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className={styles.modal ?? ""} data-size={size}>
        <AriaDialog className={styles.dialog ?? ""} role={role}>
          <Heading slot="title" level={2} className={styles.title ?? ""}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a dialog. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
