import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Lock as LockIcon } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "~/controls/Button";
import { DetailsSection } from "~/controls/DetailsSection";
import { FormDialog } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import { nameOf } from "~/model/path";
import styles from "./Locks.module.css";
import { endLock, type Lock, locksQuery } from "./locks";

/** Who keeps an item from being changed, and since when. Shows nothing if nobody does. */
export function Locks({ path }: { path: string }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const { data: locks = [] } = useQuery(locksQuery(path));
  const [doomed, doom] = useState<Lock | null>(null);
  if (locks.length === 0 && doomed === null) return null;
  return (
    <DetailsSection title={t("locks.title")}>
      <ul className={styles.list}>
        {locks.map((lock) => (
          <LockItem key={lock.id} lock={lock} isOfItem={lock.path === path} onEnd={() => doom(lock)} />
        ))}
      </ul>
      {doomed && (
        <FormDialog
          isDanger
          title={t("locks.endTitle")}
          submit={t("locks.end")}
          onClose={() => doom(null)}
          onSubmit={() => endLock(client, path, doomed)}
        >
          <p>{t("locks.endText", { name: doomed.account })}</p>
        </FormDialog>
      )}
    </DetailsSection>
  );
}

type ItemProps = { lock: Lock; isOfItem: boolean; onEnd: () => void };

function LockItem({ lock, isOfItem, onEnd }: ItemProps) {
  const { t, formats } = useMessages();
  const who = useId();
  const item = lock.path === null ? "" : nameOf(lock.path);
  return (
    <li className={styles.item}>
      <LockIcon size={16} aria-hidden />
      <p id={who} className={styles.words}>
        {t("locks.by", { name: lock.account })}
      </p>
      <p className={`${styles.hint} ${styles.words}`}>
        {t("locks.since", { date: formats.dateTime(lock.lockedAt) })}
        {!isOfItem && item !== "" && (
          <>
            <br />
            <bdi>{t("locks.of", { name: item })}</bdi>
          </>
        )}
      </p>
      {lock.mayEnd && (
        <div className={styles.button}>
          <Button look="quiet" aria-describedby={who} onPress={onEnd}>
            {t("locks.end")}
          </Button>
        </div>
      )}
    </li>
  );
}
