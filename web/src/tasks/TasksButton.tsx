import { useQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import { Button } from "~/controls/Button";
import { useMessages } from "~/messages";
import { isUnderWay, tasksQuery } from "~/model/tasks";
import { useUploads } from "~/uploads/view";
import styles from "./TasksButton.module.css";

/** Opens the list of tasks; a number says how many are under way, or need somebody. */
export function TasksButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const { t, formats } = useMessages();
  const { data: tasks = [] } = useQuery(tasksQuery);
  const uploads = useUploads();
  const count = tasks.filter(isUnderWay).length + uploads.filter(({ state }) => state !== "ended").length;
  return (
    <span className={styles.place}>
      <Button look="quiet" icon={ListChecks} iconOnly="narrow" aria-expanded={isOpen} onPress={onToggle}>
        {t("tasks.title")}
      </Button>
      {count > 0 && (
        <span className={styles.count} aria-hidden>
          {formats.numberText(count)}
        </span>
      )}
    </span>
  );
}
