import { useRouter } from "@tanstack/react-router";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import { sentenceKey } from "~/api/problem";
import { useMessages } from "~/messages";
import type { Found } from "./found";
import styles from "./SearchScope.module.css";

type Props = { isRoot: boolean; isEverywhere: boolean; count: number; found: Found };

/** Where is looked, and how far that has come. */
export function SearchScope({ isRoot, isEverywhere, count, found }: Props) {
  const { t } = useMessages();
  const router = useRouter();
  const choose = (value: string) => {
    const everywhere = value === "everywhere" || undefined;
    void router.navigate({ to: ".", search: (old) => ({ ...old, everywhere }), replace: true });
  };
  return (
    <div className={styles.bar}>
      {!isRoot && (
        <RadioGroup
          className={styles.scopes ?? ""}
          aria-label={t("search.where")}
          orientation="horizontal"
          value={isEverywhere ? "everywhere" : "here"}
          onChange={choose}
        >
          <Radio className={styles.scope ?? ""} value="here">
            {t("search.here")}
          </Radio>
          <Radio className={styles.scope ?? ""} value="everywhere">
            {t("search.everywhere")}
          </Radio>
        </RadioGroup>
      )}
      <p role="status" className={styles.state}>
        {found.isRunning ? t("search.running", { count }) : t("search.found", { count })}
      </p>
      {found.end?.isLimited && <p className={styles.state}>{t("search.limited")}</p>}
      {(found.end?.unreadFolders ?? 0) > 0 && (
        <p className={styles.state}>{t("search.unread", { count: found.end?.unreadFolders ?? 0 })}</p>
      )}
      {found.error !== null && (
        <p role="alert" className={styles.problem}>
          {t(sentenceKey(found.error))}
        </p>
      )}
    </div>
  );
}
