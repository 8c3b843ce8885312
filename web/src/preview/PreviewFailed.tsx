import { CircleAlert } from "lucide-react";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { useMessages } from "~/messages";

/** In the place of what the server did not give. */
export function PreviewFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useMessages();
  return (
    <EmptyState icon={CircleAlert} tone="danger" title={t("preview.failed")} hint={t(sentenceKey(error))}>
      <Button onPress={onRetry}>{t("app.retry")}</Button>
    </EmptyState>
  );
}
