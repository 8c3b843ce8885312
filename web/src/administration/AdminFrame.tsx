import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { ShieldX } from "lucide-react";
import { useEffect, useRef } from "react";
import { useAccount } from "~/api/session";
import { EmptyState } from "~/controls/EmptyState";
import { PageTitle } from "~/controls/PageTitle";
import { useMessages } from "~/messages";
import styles from "./AdminFrame.module.css";

const PAGES = [
  ["/admin/accounts", "admin.accounts"],
  ["/admin/shares", "admin.shares"],
  ["/admin/connectors", "admin.connectors"],
  ["/admin/storage", "admin.storage"],
  ["/admin/sessions", "admin.sessions"],
  ["/admin/audit", "admin.audit"],
  ["/admin/settings", "admin.settings"],
] as const;

/** What stands around the pages of administration; others than administrators are told whose they are. */
export function AdminFrame() {
  const { t } = useMessages();
  const nav = useRef<HTMLElement>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  // Where not all pages have room in the row, the one that is open has.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another link in the row
  useEffect(() => {
    nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  if (useAccount().role !== "admin") {
    return (
      <>
        <PageTitle text={t("admin.title")} isHeading />
        <EmptyState icon={ShieldX} title={t("admin.forbidden")} hint={t("admin.forbiddenHint")}>
          <Link to="/files/">{t("app.toFiles")}</Link>
        </EmptyState>
      </>
    );
  }
  return (
    <div className={styles.frame}>
      <nav ref={nav} className={styles.nav} aria-label={t("admin.title")}>
        <ul className={styles.tabs}>
          {PAGES.map(([to, text]) => (
            <li key={to}>
              <Link className={styles.tab} to={to}>
                {t(text)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
}
