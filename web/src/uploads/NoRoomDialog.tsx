import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import type { NoRoom } from "./account-uploads";

/** Says, before anything is sent, that it would not fit. */
export function NoRoomDialog({ noRoom, onClose }: { noRoom: NoRoom; onClose: () => void }) {
  const { t, formats } = useMessages();
  const needed = formats.size(noRoom.needed);
  const free = formats.size(noRoom.free);
  return (
    <Dialog title={t("noRoom.title")} role="alertdialog" onClose={onClose}>
      <p>{t("noRoom.text", { needed, free })}</p>
      <DialogButtons>
        <Button autoFocus look="primary" onPress={onClose}>
          {t("app.close")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
