import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useMessages } from "~/messages";
import styles from "./GuestFolder.module.css";

/** The folders on the way here, from the one that is shared. */
export function GuestPath({ token, path, name }: { token: string; path: string; name: string }) {
  const { t } = useMessages();
  const parts = path.split("/").filter(Boolean);
  const below = parts.map((part, index) => ({ text: part, path: parts.slice(0, index + 1).join("/") }));
  return (
    <nav className={styles.path} aria-label={t("files.path")}>
      <ol className={styles.steps}>
        <li className={styles.step}>
          <Link className={styles.link} to="/s/$token" params={{ token }} activeOptions={{ exact: true }}>
            <bdi>{name}</bdi>
          </Link>
        </li>
        {below.map((step) => (
          <li key={step.path} className={styles.step}>
            <ChevronRight className={styles.between} size={16} aria-hidden />
            <Link
              className={styles.link}
              to="/s/$token/$"
              params={{ token, _splat: step.path }}
              activeOptions={{ exact: true }}
            >
              <bdi>{step.text}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
