import { useQuery } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { useAccount } from "~/api/session";
import { useMessages } from "~/messages";
import styles from "./Storage.module.css";

const NEARLY_FULL = 0.9;

/** How much is used, and how much there is. */
export function Storage() {
  const { t, formats } = useMessages();
  const signedIn = useAccount();
  const { data: account = signedIn } = useQuery({
    queryKey: keys.account,
    queryFn: () => answerOf(v2.GET("/api/v2/account")),
  });
  const { storageUsed, storageLimit } = account;
  const used = formats.size(storageUsed);
  if (storageLimit === 0) return <p>{t("account.unlimited", { used })}</p>;
  const share = Math.min(1, storageUsed / storageLimit);
  const free = formats.size(Math.max(0, storageLimit - storageUsed));
  return (
    <div className={styles.storage}>
      <p>{t("locations.usedOf", { used, limit: formats.size(storageLimit) })}</p>
      {/* The same is said in words on both sides of it. */}
      <div className={styles.track} aria-hidden>
        <div
          className={styles.bar}
          data-full={share >= NEARLY_FULL || undefined}
          style={{ inlineSize: `${share * 100}%` }}
        />
      </div>
      <p className={styles.hint}>{t("account.free", { free })}</p>
    </div>
  );
}
