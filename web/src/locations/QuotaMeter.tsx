import { useQuery, useQueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { sessionQuery, useAccount } from "~/api/session";
import { useMessages } from "~/messages";
import styles from "./QuotaMeter.module.css";

const NEARLY_FULL = 0.9;

/** How much of the account's own storage is used. */
export function QuotaMeter() {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const { data: account } = useQuery({
    queryKey: keys.account,
    queryFn: () => answerOf(v2.GET("/api/v2/account")),
    // The session says the same, as of when it was asked for.
    initialData: useAccount(),
    initialDataUpdatedAt: () => client.getQueryState(sessionQuery.queryKey)?.dataUpdatedAt,
  });
  const used = formats.size(account.storageUsed);
  const limit = account.storageLimit;
  const text = limit > 0 ? t("locations.usedOf", { used, limit: formats.size(limit) }) : t("locations.used", { used });
  const share = limit > 0 ? Math.min(1, account.storageUsed / limit) : 0;
  return (
    <div className={styles.quota}>
      {limit > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: the element of that name takes no look of ours
        <div
          className={styles.track}
          role="meter"
          aria-label={t("locations.storage")}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(account.storageUsed, limit)}
          aria-valuetext={text}
        >
          <div
            className={styles.bar}
            data-full={share >= NEARLY_FULL || undefined}
            style={{ inlineSize: `${share * 100}%` }}
          />
        </div>
      )}
      <p>{text}</p>
    </div>
  );
}
