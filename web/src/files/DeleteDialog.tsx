import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import type { Entry } from "./entries";

type Props = { entries: readonly Entry[]; onClose: () => void; onDelete: () => void };

/** Asks before something is deleted that does not come back. */
export function DeleteDialog({ entries, onClose, onDelete }: Props) {
  const { t } = useMessages();
  const [only] = entries;
  const count = entries.length;
  return (
    <Dialog title={t("files.deleteTitle", { count })} role="alertdialog" onClose={onClose}>
      <p>{count === 1 && only ? t("files.deleteOne", { name: only.name }) : t("files.deleteMany")}</p>
      <DialogButtons>
        <Button autoFocus onPress={onClose}>
          {t("app.cancel")}
        </Button>
        <Button
          look="danger"
          onPress={() => {
            onClose();
            onDelete();
          }}
        >
          {t("files.deleteForGood")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
