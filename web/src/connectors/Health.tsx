import { CircleAlert, CircleCheck, CircleHelp } from "lucide-react";
import { useMessages } from "~/messages";
import styles from "./ConnectorItem.module.css";
import type { Connector } from "./query";

const ICONS = { works: CircleCheck, fails: CircleAlert, unknown: CircleHelp };

/** How a connector did when it was last used. */
export function Health({ health, isTrying = false }: { health: Connector["health"]; isTrying?: boolean }) {
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
