import { useMessages } from "~/messages";
import styles from "./RowsSkeleton.module.css";

const WIDTHS = [46, 31, 52, 38, 27, 43];

/** Rows to come; those of settings have two lines. */
export function RowsSkeleton({ lines = 1 }: { lines?: 1 | 2 }) {
  const { t } = useMessages();
  return (
    <div className={styles.skeleton} role="status" aria-label={t("list.loading")} data-lines={lines}>
      {WIDTHS.slice(0, 6 / lines).map((share) => (
        <div key={share} className={styles.row}>
          <span className={styles.bar} style={{ inlineSize: `${share}%` }} />
          {lines === 2 && <span className={styles.bar} style={{ inlineSize: `${share * 1.4}%` }} />}
        </div>
      ))}
    </div>
  );
}
