import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useEffect } from "react";
import { FocusScope } from "react-aria/FocusScope";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { dropTask, isUnderWay, type Task, tasksQuery } from "~/model/tasks";
import { hasPageKeys } from "~/shortcuts/store";
import { type UploadView, uploadCommands, useUploads } from "~/uploads/view";
import { TaskItem } from "./TaskItem";
import styles from "./TasksPanel.module.css";
import { UploadItem } from "./UploadItem";

/** Uploads, and what the server does, also where that was begun on another device; what is under way stands first. */
export function TasksPanel({ onClose }: { onClose: () => void }) {
  const { t } = useMessages();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape" && hasPageKeys(event)) onClose();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [onClose]);
  const { data: tasks = [] } = useQuery(tasksQuery);
  const uploads = useUploads();
  const isOpen = ({ state }: UploadView) => state !== "ended";
  const endedTasks = tasks.filter((task) => !isUnderWay(task));
  const endedUploads = uploads.filter((upload) => !isOpen(upload));
  return (
    <FocusScope restoreFocus>
      <section className={styles.panel} aria-label={t("tasks.title")}>
        <header className={styles.head}>
          <h2>{t("tasks.title")}</h2>
          {endedTasks.length + endedUploads.length > 0 && <ClearButton tasks={endedTasks} uploads={endedUploads} />}
          <Button look="quiet" icon={X} iconOnly onPress={onClose}>
            {t("app.close")}
          </Button>
        </header>
        {tasks.length + uploads.length === 0 && <p className={styles.none}>{t("tasks.none")}</p>}
        <ul className={styles.list}>
          {[...uploads.filter(isOpen)].map((upload) => (
            <UploadItem key={upload.id} upload={upload} />
          ))}
          {tasks.filter(isUnderWay).map((task) => (
            <TaskItem key={task.id} task={task} />
          ))}
          {endedUploads.map((upload) => (
            <UploadItem key={upload.id} upload={upload} />
          ))}
          {endedTasks.map((task) => (
            <TaskItem key={task.id} task={task} />
          ))}
        </ul>
      </section>
    </FocusScope>
  );
}

/** Forgets all that has ended. */
function ClearButton({ tasks, uploads }: { tasks: readonly Task[]; uploads: readonly UploadView[] }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const clear = async () => {
    for (const { id } of uploads) uploadCommands()?.cancel(id);
    try {
      for (const { id } of tasks) await dropTask(client, id);
    } catch (error) {
      showToast({ text: t(sentenceKey(error)), tone: "danger" });
    }
  };
  return (
    <Button look="quiet" onPress={() => void clear()}>
      {t("tasks.clear")}
    </Button>
  );
}
