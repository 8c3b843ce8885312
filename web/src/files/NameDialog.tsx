import { type FormEvent, useState } from "react";
import { hasCode, sentenceOf } from "~/api/problem";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons, FormDialog } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { useIsOpen } from "~/controls/useMedia";
import { useMessages } from "~/messages";
import type { Entry } from "~/model/entries";
import { nameProblem } from "~/model/path";
import type { FileActions } from "~/transfer/actions";
import styles from "./NameDialog.module.css";

type NameDialogProps = {
  kind: "newFolder" | "newFile";
  folder: string;
  actions: FileActions;
  onClose: () => void;
  /** Called before it is closed, when there is something of that name now. */
  onMade?: (name: string) => void;
};

/** Asks for the name of something new. */
export function NameDialog({ kind, folder, actions, onClose, onMade }: NameDialogProps) {
  const { t } = useMessages();
  const [name, setName] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isOpen = useIsOpen();
  const change = (value: string) => {
    setName(value);
    setRefusal(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = nameProblem(name);
    if (wrong) return setRefusal(t(wrong));
    if (isBusy) return;
    setBusy(true);
    try {
      await (kind === "newFolder" ? actions.makeFolder(folder, name) : actions.makeFile(folder, name));
      if (!isOpen()) return;
      onMade?.(name);
      onClose();
    } catch (error) {
      const isTaken = hasCode(error, "name_taken") || hasCode(error, "precondition_failed");
      setRefusal(isTaken ? t("naming.taken", { name }) : sentenceOf(t, error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={t(`files.${kind}`)} onClose={onClose}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField label={t("files.name")} autoFocus value={name} onChange={change} problem={refusal} />
        <DialogButtons>
          <Button onPress={onClose}>{t("app.cancel")}</Button>
          <Button type="submit" look="primary">
            {t("naming.create")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

type DeleteDialogProps = { entries: readonly Entry[]; onClose: () => void; onDelete: () => void };

/** Asks before something is deleted that does not come back. */
export function DeleteDialog({ entries, onClose, onDelete }: DeleteDialogProps) {
  const { t } = useMessages();
  const [only] = entries;
  const count = entries.length;
  return (
    <FormDialog
      title={t("deletion.title", { count })}
      submit={t("deletion.submit")}
      isDanger
      onSubmit={async () => onDelete()}
      onClose={onClose}
    >
      <p>{count === 1 && only ? t("deletion.one", { name: only.name }) : t("deletion.many")}</p>
    </FormDialog>
  );
}
