import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Button } from "~/controls/Button";
import { useMessages } from "~/messages";
import { isUnderWay, tasksQuery } from "./query";
import { TaskItem } from "./TaskItem";
import styles from "./TasksPanel.module.css";

/** What is under way, also what was begun on another device. */
export function TasksPanel({ onClose }: { onClose: () => void }) {
  const { t } = useMessages();
  const { data: tasks = [] } = useQuery(tasksQuery);
  const running = tasks.filter(isUnderWay);
  return (
    <section className={styles.panel} aria-label={t("tasks.title")}>
      <header className={styles.head}>
        <h2>{t("tasks.title")}</h2>
        <Button look="quiet" icon={X} iconOnly onPress={onClose}>
          {t("app.close")}
        </Button>
      </header>
      {running.length === 0 ? (
        <p className={styles.none}>{t("tasks.none")}</p>
      ) : (
        <ul className={styles.list}>
          {running.map((task) => (
            <TaskItem key={task.id} task={task} />
          ))}
        </ul>
      )}
    </section>
  );
}
