import { useMessages } from "~/messages";
import styles from "./FolderSkeleton.module.css";

const ROWS = [62, 41, 55, 34, 68, 47, 38, 59];

/** Rows to come. */
export function FolderSkeleton() {
  const { t } = useMessages();
  return (
    <div className={styles.skeleton} role="status" aria-label={t("files.loading")}>
      {ROWS.map((share) => (
        <div key={share} className={styles.row}>
          <span className={styles.bar} style={{ inlineSize: `${share / 2}%` }} />
        </div>
      ))}
    </div>
  );
}
