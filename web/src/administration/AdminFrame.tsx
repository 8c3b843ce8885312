import { Link, Outlet } from "@tanstack/react-router";
import { ShieldX } from "lucide-react";
import { useAccount } from "~/api/session";
import { EmptyState } from "~/controls/EmptyState";
import { PageTabs } from "~/controls/Page";
import { PageTitle } from "~/controls/PageTitle";
import { useMessages } from "~/messages";
import { ADMIN_PAGES } from "~/model/pages";
import styles from "./AdminFrame.module.css";

/** The frame around the pages of administration. It tells people who are no administrators that they need to be one. */
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
      <PageTabs label={t("admin.title")} pages={ADMIN_PAGES} />
      <Outlet />
    </div>
  );
}
