import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, CircleHelp, Cloud, Plus, Server, Unplug } from "lucide-react";
import { useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { RowsSkeleton } from "~/controls/ListState";
import { later } from "~/controls/later";
import { useMessages } from "~/messages";
import { folderLink } from "~/model/folder-address";
import { PageHead } from "~/settings/Section";
import styles from "./ConnectorsPage.module.css";
import { type Connector, connectorsQuery, reasonOf } from "./query";
import { RemoveDialog } from "./RemoveDialog";

const Wizard = later(async () => (await import("./Wizard")).Wizard);

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
        <Wizard connector={open.kind === "edit" ? open.connector : null} onClose={close} />
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

type Props = { connector: Connector; onEdit: () => void; onRemove: () => void };

/** One connector: where it leads, how it does, and what can be done with it. */
function ConnectorItem({ connector, onEdit, onRemove }: Props) {
  const { t } = useMessages();
  const client = useQueryClient();
  const trial = useMutation({
    mutationFn: () => answerOf(v2.POST("/api/v2/connectors/test", { body: { id: connector.id } })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.connectors }),
  });
  const Icon = connector.kind === "drive" ? Cloud : Server;
  return (
    <li className={styles.item} aria-label={connector.name}>
      <Icon size={20} strokeWidth={1.6} aria-hidden />
      <div className={styles.text}>
        <span>
          <Link className={styles.name} {...folderLink(`__conn_${connector.id}`)}>
            <bdi>{connector.name}</bdi>
          </Link>
          {connector.readOnly && <span className={styles.badge}>{t("connectors.readOnly")}</span>}
        </span>
        <bdi className={styles.soft}>{connector.target}</bdi>
        {connector.description !== "" && <bdi className={styles.soft}>{connector.description}</bdi>}
        {trial.isIdle ? (
          <Health health={connector.health} />
        ) : (
          <Health
            health={{
              state: trial.isPending ? "unknown" : trial.isError ? "fails" : "works",
              message: trial.isError ? reasonOf(trial.error, t) : "",
              lookedAt: null,
            }}
            isTrying={trial.isPending}
          />
        )}
      </div>
      <div className={styles.buttons}>
        <Button isDisabled={trial.isPending} onPress={() => trial.mutate()}>
          {t("connectors.test")}
        </Button>
        <Button onPress={onEdit}>{t("connectors.edit")}</Button>
        <Button onPress={onRemove}>{t("connectors.remove")}</Button>
      </div>
    </li>
  );
}

const ICONS = { works: CircleCheck, fails: CircleAlert, unknown: CircleHelp };

/** How a connector did when it was last used. */
function Health({ health, isTrying = false }: { health: Connector["health"]; isTrying?: boolean }) {
  const { t, formats } = useMessages();
  const { state, message, lookedAt } = health;
  const Icon = ICONS[state];
  const at = lookedAt === null ? "" : formats.dateTime(lookedAt);
  const works = at === "" ? t("connectors.worksNow") : t("connectors.works", { at });
  const text = state === "works" ? works : t(isTrying ? "connectors.trying" : `connectors.${state}`);
  return (
    <span className={styles.health} data-state={state} role="status">
      <Icon size={14} aria-hidden />
      <span>
        {text} {message !== "" && <bdi>{message}</bdi>}
      </span>
    </span>
  );
}
