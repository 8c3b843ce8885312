import { Button } from "~/controls/Button";
import { useMessages } from "~/messages";
import styles from "./FolderView.module.css";
import type { FileCommands } from "./useFileCommands";

type Props = { count: number; isComplete: boolean; commands: FileCommands };

/** How many items there are, and how many of them are selected. */
export function StatusLine({ count, isComplete, commands }: Props) {
  const { t, formats } = useMessages();
  const selected = commands.selected.length;
  const bytes = commands.selected.reduce((sum, { size }) => sum + size, 0);
  return (
    <footer className={styles.status}>
      <span role="status">
        {t("files.count", { count })}
        {!isComplete && "…"}
        {selected > 0 && ` · ${t("files.selected", { count: selected })}`}
        {bytes > 0 && ` · ${formats.size(bytes)}`}
      </span>
      {selected > 0 && (
        <Button look="quiet" onPress={() => commands.select(new Set())}>
          {t("files.clearSelection")}
        </Button>
      )}
    </footer>
  );
}
