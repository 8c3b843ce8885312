import { Button } from "~/controls/Button";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { type UploadView, uploadCommands } from "~/uploads";
import { chooseAgain } from "./choose-again";
import styles from "./TasksPanel.module.css";

/** What can be done with an upload beside cancelling it. */
export function UploadActions({ upload: { id, state, isFolder, canRetry } }: { upload: UploadView }) {
  const { t } = useMessages();
  const commands = uploadCommands();
  if (!commands) return null;
  const give = (files: FileList) => {
    if (!commands.giveFiles(id, files)) showToast({ text: t("uploads.notSame"), tone: "danger" });
  };
  const isUnderWay = state === "running" || state === "offline" || state === "waiting";
  const actions = [
    isUnderWay && { text: t("uploads.pause"), run: () => commands.pause(id) },
    state === "paused" && { text: t("uploads.resume"), run: () => commands.resume(id) },
    state === "needsLeave" && { text: t("uploads.allow"), run: () => void commands.allow(id) },
    state === "needsFiles" && {
      text: t("uploads.chooseAgain"),
      run: () => chooseAgain(isFolder, give),
    },
    canRetry && { text: t("uploads.retry"), run: () => commands.retry(id) },
  ].filter((action) => action !== false);
  if (actions.length === 0) return null;
  return (
    <div className={styles.actions}>
      {actions.map(({ text, run }) => (
        <Button key={text} onPress={run}>
          {text}
        </Button>
      ))}
    </div>
  );
}
