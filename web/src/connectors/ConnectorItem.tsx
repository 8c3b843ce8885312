import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Cloud, Server } from "lucide-react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { Button } from "~/controls/Button";
import { folderLink } from "~/locations";
import { useMessages } from "~/messages";
import styles from "./ConnectorItem.module.css";
import { Health } from "./Health";
import type { Connector } from "./query";
import { reasonOf } from "./reason";

type Props = { connector: Connector; onEdit: () => void; onRemove: () => void };

/** One connector: where it leads, how it does, and what can be done with it. */
export function ConnectorItem({ connector, onEdit, onRemove }: Props) {
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
