import { Outlet } from "@tanstack/react-router";
import { PageTabs } from "~/controls/Page";
import { useMessages } from "~/messages";
import { SETTINGS_PAGES } from "~/model/pages";
import styles from "./SettingsLayout.module.css";

/** The pages of settings, and the way between them. */
export function SettingsLayout() {
  const { t } = useMessages();
  return (
    <div className={styles.layout}>
      <PageTabs label={t("settings.title")} pages={SETTINGS_PAGES} />
      <div className={styles.page}>
        <div className={styles.content}>
          <Outlet />
        </div>
      </div>
    </div>
  );
}
