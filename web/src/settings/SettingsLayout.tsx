import { Outlet } from "@tanstack/react-router";
import { PageTabs } from "~/controls/PageTabs";
import { useMessages } from "~/messages";
import styles from "./SettingsLayout.module.css";

const PAGES = [
  ["/settings/account", "settings.account"],
  ["/settings/api-keys", "settings.keys"],
  ["/settings/connectors", "settings.connectors"],
] as const;

/** The pages of settings, and the way between them. */
export function SettingsLayout() {
  const { t } = useMessages();
  return (
    <div className={styles.layout}>
      <PageTabs label={t("settings.title")} pages={PAGES.map(([to, text]) => [to, t(text)] as const)} />
      <div className={styles.page}>
        <div className={styles.content}>
          <Outlet />
        </div>
      </div>
    </div>
  );
}
