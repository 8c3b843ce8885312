import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, sentenceKey } from "~/api/problem";
import { signOut } from "~/api/sign-out";
import { Button } from "~/controls/Button";
import { RowsSkeleton } from "~/controls/ListState";
import { showToast } from "~/controls/toast-store";
import { joined, type Key, useMessages } from "~/messages";
import { agentName, isPhone } from "~/model/agent";
import styles from "./Sessions.module.css";

/** Where the account is signed in, and how to end that. */
export function Sessions() {
  const { t } = useMessages();
  const { data: sessions, error } = useQuery(sessionsQuery);
  const { end, endOthers, endAll, isBusy } = useEnding();
  if (sessions === undefined) return error ? <p role="alert">{t(sentenceKey(error))}</p> : <RowsSkeleton lines={2} />;
  return (
    <>
      <ul className={styles.list} aria-label={t("account.sessions")}>
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={() => void end(session.id)} />
        ))}
      </ul>
      <div className={styles.buttons}>
        {sessions.length > 1 && (
          <Button isDisabled={isBusy} onPress={() => void endOthers()}>
            {t("account.endOthers")}
          </Button>
        )}
        <Button isDisabled={isBusy} onPress={() => void endAll()}>
          {t("account.endAll")}
        </Button>
      </div>
    </>
  );
}

/** Ends sessions: the list changes at once, and back if the server refuses. */
function useEnding() {
  const { t } = useMessages();
  const client = useQueryClient();
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const reporting = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      showToast({ text: t(sentenceKey(error)), tone: "danger" });
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: keys.sessions });
    }
  };
  const end = (id: string) =>
    reporting(async () => {
      await client.cancelQueries({ queryKey: keys.sessions });
      client.setQueryData(sessionsQuery.queryKey, (all) => all?.filter((one) => one.id !== id));
      try {
        await answerOf(v2.DELETE("/api/v2/sessions/{id}", { params: { path: { id } } }));
      } catch (error) {
        if (!hasCode(error, "not_found")) throw error; // It has ended meanwhile, which is what was wanted.
      }
      showToast({ text: t("account.ended") });
    });
  const endOthers = () =>
    reporting(async () => {
      await answerOf(v2.DELETE("/api/v2/sessions"));
      showToast({ text: t("account.othersEnded") });
    });
  const endAll = () =>
    reporting(async () => {
      await answerOf(v2.DELETE("/api/v2/sessions"));
      await signOut(client);
      await router.navigate({ to: "/sign-in" });
    });
  return { end, endOthers, endAll, isBusy };
}

type Props = { session: SessionEntry; onEnd: () => void };

/** One session: with what, from where, when last. */
function SessionItem({ session, onEnd }: Props) {
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
        <span className={styles.small}>
          {joined([t("account.began", { at: formats.dateTime(session.createdAt) }), t(METHODS[session.method])])}
        </span>
      </div>
      {!session.current && (
        <Button aria-label={t("account.endOf", { name })} onPress={onEnd}>
          {t("account.end")}
        </Button>
      )}
    </li>
  );
}

type SessionEntry = Schemas["SessionEntry"];

const METHODS: Record<SessionEntry["method"], Key & `method.${string}`> = {
  password: "method.password",
  "password+totp": "method.totp",
  "password+recovery": "method.recovery",
  passkey: "method.passkey",
  setup_link: "method.setUp",
  oidc: "method.provider",
  proxy: "method.proxy",
};

/** The account's sessions: the one that asks first, then what was used last. */
const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: async (): Promise<SessionEntry[]> => {
    const sessions = await answerOf(v2.GET("/api/v2/sessions"));
    return sessions.sort((a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt));
  },
});
