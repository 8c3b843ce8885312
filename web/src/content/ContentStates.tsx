import { CircleAlert, EyeOff } from "lucide-react";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { useMessages } from "~/messages";
import styles from "./ContentStates.module.css";

/** In the place of what the server did not give. */
export function PreviewFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useMessages();
  return (
    <EmptyState icon={CircleAlert} tone="danger" title={t("preview.failed")} hint={t(sentenceKey(error))}>
      <Button onPress={onRetry}>{t("app.retry")}</Button>
    </EmptyState>
  );
}

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

/** In the place of what cannot be shown; `reason` where more is known than that. */
export function NoPreview({ reason }: { reason?: string }) {
  const { t } = useMessages();
  return <EmptyState icon={EyeOff} title={t("problem.no_thumbnail")} hint={reason ?? t("preview.downloadInstead")} />;
}
