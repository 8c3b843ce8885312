import { useQuery } from "@tanstack/react-query";
import { CircleAlert, KeyRound, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { RowsSkeleton } from "~/controls/RowsSkeleton";
import { useMessages } from "~/messages";
import { PageHead } from "~/settings";
import { ApiDocs } from "./ApiDocs";
import { KeyGrid } from "./KeyGrid";
import { type ApiKey, apiKeysQuery } from "./query";
import { RevokeDialog } from "./RevokeDialog";

const NewKey = lazy(async () => ({ default: (await import("./NewKey")).NewKey }));

/** The keys by which programs use the API: made, seen in use, revoked. */
export function KeysPage() {
  const { t } = useMessages();
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <>
      <PageHead title={t("keys.title")} intro={t("keys.intro")}>
        <Button look="primary" icon={Plus} onPress={() => setMaking(true)}>
          {t("keys.new")}
        </Button>
      </PageHead>
      <Keys onRevoke={setRevoking} />
      <ApiDocs />
      {isMaking && (
        <Suspense>
          <NewKey onClose={() => setMaking(false)} />
        </Suspense>
      )}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function Keys({ onRevoke }: { onRevoke: (key: ApiKey) => void }) {
  const { t } = useMessages();
  const { data: keys, error, refetch } = useQuery(apiKeysQuery);
  if (keys === undefined && error) {
    return (
      <EmptyState icon={CircleAlert} tone="danger" title={t(sentenceKey(error))}>
        <Button onPress={() => void refetch()}>{t("app.retry")}</Button>
      </EmptyState>
    );
  }
  if (keys === undefined) return <RowsSkeleton lines={2} />;
  if (keys.length === 0) return <EmptyState icon={KeyRound} title={t("keys.none")} hint={t("keys.noneHint")} />;
  return <KeyGrid keys={keys} onRevoke={onRevoke} />;
}
