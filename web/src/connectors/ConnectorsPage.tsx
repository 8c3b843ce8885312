import { useQuery } from "@tanstack/react-query";
import { CircleAlert, Plus, Unplug } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { RowsSkeleton } from "~/controls/RowsSkeleton";
import { useMessages } from "~/messages";
import { PageHead } from "~/settings";
import { ConnectorItem } from "./ConnectorItem";
import styles from "./ConnectorsPage.module.css";
import { type Connector, connectorsQuery } from "./query";
import { RemoveDialog } from "./RemoveDialog";

const Wizard = lazy(async () => ({ default: (await import("./Wizard")).Wizard }));

type Open = { kind: "add" } | { kind: "edit" | "remove"; connector: Connector };

/** Servers and drives elsewhere that stand among the account's locations. */
export function ConnectorsPage() {
  const { t } = useMessages();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <PageHead title={t("connectors.title")} intro={t("connectors.intro")}>
        <Button look="primary" icon={Plus} onPress={() => setOpen({ kind: "add" })}>
          {t("connectors.add")}
        </Button>
      </PageHead>
      <Connectors onOpen={setOpen} />
      {open && open.kind !== "remove" && (
        <Suspense>
          <Wizard connector={open.kind === "edit" ? open.connector : null} onClose={close} />
        </Suspense>
      )}
      {open?.kind === "remove" && <RemoveDialog connector={open.connector} onClose={close} />}
    </>
  );
}

function Connectors({ onOpen }: { onOpen: (open: Open) => void }) {
  const { t } = useMessages();
  const { data: connectors, error, refetch } = useQuery(connectorsQuery);
  if (connectors === undefined && error) {
    return (
      <EmptyState icon={CircleAlert} tone="danger" title={t(sentenceKey(error))}>
        <Button onPress={() => void refetch()}>{t("app.retry")}</Button>
      </EmptyState>
    );
  }
  if (connectors === undefined) return <RowsSkeleton lines={2} />;
  if (connectors.length === 0) {
    return <EmptyState icon={Unplug} title={t("connectors.none")} hint={t("connectors.noneHint")} />;
  }
  return (
    <ul className={styles.list} aria-label={t("connectors.title")}>
      {connectors.map((connector) => (
        <ConnectorItem
          key={connector.id}
          connector={connector}
          onEdit={() => onOpen({ kind: "edit", connector })}
          onRemove={() => onOpen({ kind: "remove", connector })}
        />
      ))}
    </ul>
  );
}
