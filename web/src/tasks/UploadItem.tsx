import { X } from "lucide-react";
import { Button } from "~/controls/Button";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { useFolderName } from "~/model/locations";
import { isUnderWay, type UploadView, uploadCommands } from "~/uploads/view";
import { LeftOut, ProgressFacts } from "./TaskItem";
import styles from "./TasksPanel.module.css";

/** An upload by this browser, running or unfinished. */
export function UploadItem({ upload }: { upload: UploadView }) {
  const { t } = useMessages();
  const folderName = useFolderName();
  const { id, title, totalCount, state } = upload;
  const hasEnded = state === "ended";
  const left = upload.left.map(({ name, reason }) => ({ name, reason: t(reason) }));
  const drop = () => uploadCommands()?.cancel(id);
  return (
    <li className={styles.task}>
      <div className={styles.title}>
        <p>
          <bdi>{title ?? t("uploads.files", { count: totalCount })}</bdi>
        </p>
        <p className={styles.note}>{t("uploads.to", { folder: folderName(upload.destination) })}</p>
      </div>
      {hasEnded ? (
        <Button look="quiet" icon={X} iconOnly onPress={drop}>
          {t("tasks.dismiss")}
        </Button>
      ) : (
        <Button onPress={drop}>{t("tasks.cancel")}</Button>
      )}
      {hasEnded ? <Ended upload={upload} /> : <Progress upload={upload} />}
      <UploadActions upload={upload} />
      {!onlyReason(upload) && <LeftOut left={left} count={upload.leftCount} />}
    </li>
  );
}

function Progress({ upload }: { upload: UploadView }) {
  const { t, formats } = useMessages();
  const { bytesDone, bytesTotal, doneCount, totalCount, state } = upload;
  const files = { done: formats.numberText(doneCount), total: formats.numberText(totalCount) };
  const bytes = { done: formats.size(bytesDone), total: formats.size(bytesTotal) };
  return (
    <>
      <ProgressFacts
        share={bytesTotal > 0 ? bytesDone / bytesTotal : totalCount > 0 ? doneCount / totalCount : null}
        bytesPerSecond={upload.bytesPerSecond}
        secondsLeft={upload.secondsLeft}
        isPaused={state !== "running"}
        facts={[totalCount > 1 && t("uploads.filesOf", files), t("uploads.doneOf", bytes)]}
      />
      <Hint upload={upload} />
    </>
  );
}

function Hint({ upload: { state, totalCount, doneCount } }: { upload: UploadView }) {
  const { t } = useMessages();
  switch (state) {
    case "running":
    case "ended":
      return null;
    case "needsFiles":
      return <p className={styles.hint}>{t("uploads.needsFiles", { count: totalCount - doneCount })}</p>;
    default:
      return <p className={styles.hint}>{t(`uploads.${state}`)}</p>;
  }
}

function Ended({ upload }: { upload: UploadView }) {
  const { t, formats } = useMessages();
  const { doneCount, totalCount, leftCount } = upload;
  const only = onlyReason(upload);
  if (only) return <p className={styles.note}>{t(only.reason)}</p>;
  if (leftCount === 0) return <p className={styles.note}>{t("uploads.done")}</p>;
  const files = { done: formats.numberText(doneCount), total: formats.numberText(totalCount) };
  return <p className={styles.note}>{t("uploads.filesOf", files)}</p>;
}

/** Why a single file is not stored: that needs no list. */
function onlyReason({ state, totalCount, left: [first] }: UploadView): UploadView["left"][number] | undefined {
  return state === "ended" && totalCount <= 1 ? first : undefined;
}

/** The buttons of an upload beside "Cancel". */
function UploadActions({ upload }: { upload: UploadView }) {
  const { t } = useMessages();
  const { id, state, isFolder, canRetry } = upload;
  const commands = uploadCommands();
  if (!commands) return null;
  const give = (files: FileList) => {
    if (!commands.giveFiles(id, files)) showToast({ text: t("uploads.notSame"), tone: "danger" });
  };
  const actions = [
    isUnderWay(upload) && { text: t("uploads.pause"), run: () => commands.pause(id) },
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

/** Asks for files, or a folder, by the browser's own dialog. */
export function chooseAgain(isFolder: boolean, onChoose: (files: FileList) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = !isFolder;
  input.webkitdirectory = isFolder;
  input.onchange = () => {
    if (input.files) onChoose(input.files);
  };
  input.click();
}
