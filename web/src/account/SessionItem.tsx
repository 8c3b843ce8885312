import { Monitor, Smartphone } from "lucide-react";
import { Button } from "~/controls/Button";
import { useMessages } from "~/messages";
import { agentOf, isPhone } from "./agent";
import styles from "./Sessions.module.css";
import type { SessionEntry } from "./sessions-query";

type Props = { session: SessionEntry; onEnd: () => void };

/** One session: with what, from where, when last. */
export function SessionItem({ session, onEnd }: Props) {
  const { t, formats } = useMessages();
  const name = useAgentName(session.agent);
  const Icon = isPhone(session.agent) ? Smartphone : Monitor;
  return (
    <li className={styles.item}>
      <Icon size={20} strokeWidth={1.6} aria-hidden />
      <div className={styles.text}>
        <bdi className={styles.name}>{name}</bdi>
        {session.current && <span className={styles.badge}>{t("account.thisSession")}</span>}
        <span className={styles.small}>
          {t("account.lastSeen", { at: formats.dateTime(session.lastSeenAt), address: session.address })}
        </span>
        <span className={styles.small}>{t("account.began", { at: formats.dateTime(session.createdAt) })}</span>
      </div>
      {!session.current && (
        <Button aria-label={t("account.endOf", { name })} onPress={onEnd}>
          {t("account.end")}
        </Button>
      )}
    </li>
  );
}

function useAgentName(agent: string): string {
  const { t } = useMessages();
  const known = agentOf(agent);
  if (known?.system) return t("account.agent", { browser: known.browser, system: known.system });
  return known?.browser ?? (agent || t("account.unknownAgent"));
}
