import { EyeOff } from "lucide-react";
import { EmptyState } from "~/controls/EmptyState";
import { useMessages } from "~/messages";

/** In the place of what cannot be shown; `reason` where more is known than that. */
export function NoPreview({ reason }: { reason?: string }) {
  const { t } = useMessages();
  return <EmptyState icon={EyeOff} title={t("problem.no_thumbnail")} hint={reason ?? t("preview.downloadInstead")} />;
}
