import { Monitor, Smartphone } from "lucide-react";
import { agentName, isPhone } from "~/agent";
import { Button } from "~/controls/Button";
import { useMessages } from "~/messages";
import styles from "./Sessions.module.css";
import type { SessionEntry } from "./sessions-query";

type Props = { session: SessionEntry; onEnd: () => void };

/** One session: with what, from where, when last. */
export function SessionItem({ session, onEnd }: Props) {
  const { t, formats } = useMessages();
  const name = agentName(session.agent, t);
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
