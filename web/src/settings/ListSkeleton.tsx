import { useMessages } from "~/messages";
import styles from "./ListSkeleton.module.css";

const ROWS = [32, 24, 38];

/** Rows of two lines to come. */
export function ListSkeleton() {
  const { t } = useMessages();
  return (
    <div className={styles.skeleton} role="status" aria-label={t("settings.loading")}>
      {ROWS.map((share) => (
        <div key={share} className={styles.row}>
          <span className={styles.bar} style={{ inlineSize: `${share}%` }} />
          <span className={styles.bar} style={{ inlineSize: `${share * 1.6}%` }} />
        </div>
      ))}
    </div>
  );
}
