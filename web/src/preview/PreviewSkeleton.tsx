import { useMessages } from "~/messages";
import styles from "./PreviewBody.module.css";

/** Lines of what is on its way. */
export function PreviewSkeleton() {
  const { t } = useMessages();
  return (
    <div className={styles.skeleton} role="status" aria-label={t("preview.loading")}>
      {[72, 90, 64, 81, 48].map((share) => (
        <span key={share} className={styles.bar} style={{ inlineSize: `${share}%` }} />
      ))}
    </div>
  );
}
