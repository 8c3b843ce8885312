import { useQuery } from "@tanstack/react-query";
import { locationsQuery } from "~/locations";
import { useMessages } from "~/messages";
import { hasEnded } from "./expiry";
import { folderName } from "./folder-name";
import styles from "./KeyGrid.module.css";

/** What a key reaches. */
export function Folder({ folder }: { folder: string | null }) {
  const { t } = useMessages();
  const { data: locations = [] } = useQuery(locationsQuery);
  if (folder === null) return <span className={styles.soft}>{t("keys.everything")}</span>;
  return <bdi>{folderName(folder, locations)}</bdi>;
}

/** With which key it was made; its name, where it is not revoked. */
export function Maker({ name }: { name: string | undefined }) {
  const { t } = useMessages();
  return (
    <span className={styles.small}>
      <bdi>{name === undefined ? t("keys.madeWithRevoked") : t("keys.madeWith", { name })}</bdi>
    </span>
  );
}

export function LastUse({ at }: { at: string | null }) {
  const { t, formats } = useMessages();
  return at === null ? <span className={styles.soft}>{t("keys.unused")}</span> : formats.dateTime(at);
}

export function Ends({ at }: { at: string | null }) {
  const { t, formats } = useMessages();
  if (at === null) return <span className={styles.soft}>{t("keys.never")}</span>;
  if (hasEnded(at)) return <span className={styles.ended}>{t("keys.ended", { at: formats.dateTime(at) })}</span>;
  return formats.dateTime(at);
}
