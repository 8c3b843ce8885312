import { useRouter } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { sentenceKey } from "~/api/problem";
import { useWhenBack } from "~/api/reach";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { PageTitle } from "~/controls/PageTitle";
import { useMessages } from "~/messages";

/** In the place of a page that threw. */
export function PageFailed({ error }: { error: unknown }) {
  const { t } = useMessages();
  const router = useRouter();
  useWhenBack(() => void router.invalidate());
  return (
    <main>
      <PageTitle text={t("app.failed")} isHeading />
      <EmptyState icon={CircleAlert} tone="danger" title={t("app.failed")} hint={t(sentenceKey(error))}>
        <Button onPress={() => void router.invalidate()}>{t("app.retry")}</Button>
      </EmptyState>
    </main>
  );
}
