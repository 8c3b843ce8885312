import { Link, Outlet } from "@tanstack/react-router";
import { CircleUser, KeyRound, type LucideIcon, Unplug } from "lucide-react";
import { type Key, useMessages } from "~/messages";
import styles from "./SettingsLayout.module.css";

type To = "/settings/account" | "/settings/api-keys" | "/settings/connectors";
const PAGES: readonly { to: To; icon: LucideIcon; text: Key & `settings.${string}` }[] = [
  { to: "/settings/account", icon: CircleUser, text: "settings.account" },
  { to: "/settings/api-keys", icon: KeyRound, text: "settings.keys" },
  { to: "/settings/connectors", icon: Unplug, text: "settings.connectors" },
];

/** The pages of settings, and the way between them: beside the page, or above it where there is no room. */
export function SettingsLayout() {
  const { t } = useMessages();
  return (
    <div className={styles.layout}>
      <nav className={styles.nav} aria-label={t("settings.title")}>
        <p className={styles.title} aria-hidden>
          {t("settings.title")}
        </p>
        <ul>
          {PAGES.map(({ to, icon: Icon, text }) => (
            <li key={to}>
              <Link className={styles.link} to={to}>
                <Icon size={18} aria-hidden />
                {t(text)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.page}>
        <div className={styles.content}>
          <Outlet />
        </div>
      </div>
    </div>
  );
}
