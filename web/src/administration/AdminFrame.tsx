import { Link, Outlet } from "@tanstack/react-router";
import { ShieldX } from "lucide-react";
import { useAccount } from "~/api/session";
import { EmptyState } from "~/controls/EmptyState";
import { PageTabs } from "~/controls/PageTabs";
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
      <PageTabs label={t("admin.title")} pages={PAGES.map(([to, text]) => [to, t(text)] as const)} />
      <Outlet />
    </div>
  );
}
