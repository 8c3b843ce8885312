import { useMutation, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { showToast } from "~/controls/toast-store";
import { useFolderName } from "~/locations";
import { useMessages } from "~/messages";
import { LeftOut } from "./LeftOut";
import { ProgressFacts } from "./ProgressFacts";
import { isUnderWay, type Task } from "./query";
import { translatedReason } from "./reason";
import { dropTask } from "./run";
import styles from "./TasksPanel.module.css";

/** How far it is, by bytes where it moves some; null before that is known. */
function shareDone({ bytesDone, bytesTotal, itemsDone, itemsTotal }: Task): number | null {
  if (bytesTotal > 0) return bytesDone / bytesTotal;
  return itemsTotal > 0 ? itemsDone / itemsTotal : null;
}

/** A task of the server. */
export function TaskItem({ task }: { task: Task }) {
  const { t, language } = useMessages();
  const client = useQueryClient();
  const folderName = useFolderName();
  const drop = useMutation({
    mutationFn: () => dropTask(client, task.id),
    onError: (error) => showToast({ text: t(sentenceKey(error)), tone: "danger" }),
  });
  const left = task.skipped.map(({ path, reason, code }) => {
    const sentence = translatedReason(language, code);
    return { name: path, reason: sentence ? t(sentence) : reason };
  });
  return (
    <li className={styles.task}>
      <div className={styles.title}>
        <p>{t(`tasks.${task.kind}`, { count: task.sourceCount })}</p>
        {task.destination !== null && (
          <p className={styles.note}>{t("tasks.to", { folder: folderName(task.destination) })}</p>
        )}
      </div>
      {isUnderWay(task) ? (
        <Button onPress={() => drop.mutate()} isDisabled={drop.isPending}>
          {t("tasks.cancel")}
        </Button>
      ) : (
        <Button look="quiet" icon={X} iconOnly onPress={() => drop.mutate()} isDisabled={drop.isPending}>
          {t("tasks.dismiss")}
        </Button>
      )}
      {isUnderWay(task) ? <Running task={task} /> : <Ended task={task} />}
      <LeftOut left={left} count={task.skippedCount} />
    </li>
  );
}

function Running({ task }: { task: Task }) {
  const { t, formats } = useMessages();
  const items = { done: formats.numberText(task.itemsDone), total: formats.numberText(task.itemsTotal) };
  const bytes = { done: formats.size(task.bytesDone), total: formats.size(task.bytesTotal) };
  if (task.state === "waiting") return <ProgressFacts share={null} facts={[t("tasks.waiting")]} />;
  return (
    <ProgressFacts
      share={shareDone(task)}
      bytesPerSecond={task.bytesPerSecond}
      secondsLeft={task.secondsLeft}
      facts={[task.itemsTotal > 1 && t("tasks.itemsOf", items), task.bytesTotal > 0 && t("tasks.doneOf", bytes)]}
    />
  );
}

function Ended({ task }: { task: Task }) {
  const { t, language } = useMessages();
  const sentence = translatedReason(language, task.errorCode);
  const reason = sentence ? t(sentence) : (task.error ?? t("problem.failed"));
  switch (task.state) {
    case "failed":
      return <p className={styles.wrong}>{t("tasks.failed", { reason })}</p>;
    case "interrupted":
      return <p className={styles.wrong}>{t("tasks.interrupted")}</p>;
    case "cancelled":
      return <p className={styles.note}>{t("tasks.cancelled")}</p>;
    default:
      return <p className={styles.note}>{t("tasks.done")}</p>;
  }
}
