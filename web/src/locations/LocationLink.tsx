import { Link } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { folderLink } from "./folder-link";
import styles from "./Locations.module.css";

type Props = {
  path: string;
  icon: LucideIcon;
  text: string;
  /** The page shows something in it. */
  isCurrent: boolean;
};

export function LocationLink({ path, icon: Icon, text, isCurrent }: Props) {
  return (
    <li>
      <Link
        className={styles.link}
        {...folderLink(path)}
        activeOptions={{ exact: true, includeSearch: false }}
        data-current={isCurrent || undefined}
      >
        <Icon size={18} aria-hidden />
        <span className={styles.name}>{text}</span>
      </Link>
    </li>
  );
}
