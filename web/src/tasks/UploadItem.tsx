import { X } from "lucide-react";
import { Button } from "~/controls/Button";
import { useFolderName } from "~/locations";
import { useMessages } from "~/messages";
import { type UploadView, uploadCommands } from "~/uploads";
import { LeftOut } from "./LeftOut";
import { ProgressFacts } from "./ProgressFacts";
import styles from "./TasksPanel.module.css";
import { UploadActions } from "./UploadActions";

/** What is uploaded by this browser, or was left unfinished by it. */
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
