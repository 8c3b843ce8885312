import { useMutation, useQueryClient } from "@tanstack/react-query";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import type { Task } from "./query";
import { dropTask } from "./run";
import styles from "./TasksPanel.module.css";

/** How far it is, by bytes where it moves some; null before that is known. */
function shareDone({ bytesDone, bytesTotal, itemsDone, itemsTotal }: Task): number | null {
  if (bytesTotal > 0) return bytesDone / bytesTotal;
  return itemsTotal > 0 ? itemsDone / itemsTotal : null;
}

export function TaskItem({ task }: { task: Task }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => dropTask(client, task.id),
    onError: (error) => showToast({ text: t(sentenceKey(error)), tone: "danger" }),
  });
  const share = shareDone(task);
  return (
    <li className={styles.task}>
      <p>{t(`tasks.${task.kind}`, { count: task.sourceCount })}</p>
      <progress
        className={styles.progress}
        aria-label={t("tasks.progress")}
        {...(share === null ? {} : { value: share })}
      />
      <Button onPress={() => cancel.mutate()} isDisabled={cancel.isPending}>
        {t("tasks.cancel")}
      </Button>
    </li>
  );
}
