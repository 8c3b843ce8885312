import { useBlocker } from "@tanstack/react-router";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";

/** Asks before what is not stored is left; the browser asks by itself where the whole page goes. */
export function LeaveDialog({ isChanged }: { isChanged: boolean }) {
  const { t } = useMessages();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Dialog title={t("editor.leaveTitle")} role="alertdialog" onClose={reset}>
      <p>{t("editor.leaveHint")}</p>
      <DialogButtons>
        <Button autoFocus onPress={reset}>
          {t("editor.stay")}
        </Button>
        <Button look="danger" onPress={proceed}>
          {t("editor.leave")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
