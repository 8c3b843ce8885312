import { type FormEvent, type ReactNode, useState } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { problemText } from "~/api/problem";
import { useMessages } from "~/messages";
import { Button } from "./Button";
import styles from "./Dialog.module.css";
import { useIsOpen } from "./useMedia";

type DialogProps = {
  title: string;
  children: ReactNode;
  /** Called when it is to be closed: by Escape, a click beside it, or from within. */
  onClose: () => void;
  /** `alertdialog` for a question that must be answered: a click beside it does nothing then. */
  role?: "dialog" | "alertdialog";
  size?: "small" | "medium" | "large";
};

/** A dialog that is open as long as it is there. */
export function Dialog({ title, children, onClose, role = "dialog", size = "small" }: DialogProps) {
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

type FormDialogProps = {
  title: string;
  children: ReactNode;
  /** The button that does it. */
  submit: string;
  /** Closes the dialog when it is done; what it throws is said in the dialog, which stays. */
  onSubmit: () => Promise<void>;
  onClose: () => void;
  isDisabled?: boolean;
  size?: "small" | "medium" | "large";
  /** Says why it failed, where the words for any request say too little. */
  explain?: (error: unknown) => string;
  /** Something is lost by it: a question that begins with the focus on "Cancel". */
  isDanger?: boolean;
};

/** A dialog with fields, or a question, and one button that does it. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, submit, onSubmit, onClose, isDisabled = false, size = "small", isDanger = false } = props;
  const { t } = useMessages();
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isOpen = useIsOpen();
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isDisabled || isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      await onSubmit();
      if (isOpen()) onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} size={size} role={isDanger ? "alertdialog" : "dialog"} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
        {children}
        <p className={styles.problem} role="alert">
          {problem === null ? null : (props.explain?.(problem) ?? problemText(t, problem))}
        </p>
        <DialogButtons>
          <Button autoFocus={isDanger} onPress={onClose}>
            {t("app.cancel")}
          </Button>
          {/* It stays possible while it is on its way: a button that is not loses the focus, and Escape with it. */}
          <Button type="submit" look={isDanger ? "danger" : "primary"} isDisabled={isDisabled}>
            {submit}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
