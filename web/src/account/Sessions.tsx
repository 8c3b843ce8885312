import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, sentenceKey } from "~/api/problem";
import { signOut } from "~/api/session";
import { Button } from "~/controls/Button";
import { RowsSkeleton } from "~/controls/RowsSkeleton";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { SessionItem } from "./SessionItem";
import styles from "./Sessions.module.css";
import { sessionsQuery } from "./sessions-query";

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

/** What ends sessions: shown at once, and taken back where it is refused. */
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
