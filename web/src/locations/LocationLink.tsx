import { Link } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { folderLink } from "./folder-link";
import styles from "./Locations.module.css";

type Props = { path: string; icon: LucideIcon; text: string };

export function LocationLink({ path, icon: Icon, text }: Props) {
  return (
    <li>
      <Link
        className={styles.link}
        {...folderLink(path)}
        // All other locations lie below the address of the own files, too.
        activeOptions={{ exact: path === "", includeSearch: false }}
      >
        <Icon size={18} aria-hidden />
        <span className={styles.name}>{text}</span>
      </Link>
    </li>
  );
}
