import type { ReactNode } from "react";
import { PageTitle } from "~/controls/PageTitle";
import { Toasts } from "~/controls/Toasts";
import { joined, useMessages } from "~/messages";
import type { GuestLink } from "./api";
import styles from "./GuestFrame.module.css";

/** What stands around all that guests see: whose page it is, what the link opens, and until when. */
export function GuestFrame({ link, children }: { link: GuestLink | null; children?: ReactNode }) {
  const { t, formats } = useMessages();
  const name = link?.name ?? null;
  const bounds: string[] = [];
  if (link && link.expiresAt !== null) bounds.push(t("links.until", { time: formats.dateTime(link.expiresAt) }));
  if (link && link.downloadsLeft !== null) bounds.push(t("guest.downloadsLeft", { count: link.downloadsLeft }));
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <span className={styles.brand}>
          <img src="/icon.svg" alt="" width={24} height={24} />
          {t("app.name")}
        </span>
        {bounds.length > 0 && <p className={styles.bounds}>{joined(bounds)}</p>}
      </header>
      <main className={styles.main}>
        {/* One file, and uploads, have a heading that is seen. */}
        <PageTitle
          text={name ?? t("app.name")}
          isHeading={link === null || (link.mode === "read" && link.isDirectory === true)}
        />
        {children}
      </main>
      <Toasts />
    </div>
  );
}
