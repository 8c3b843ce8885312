import { Link } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { useFolderDrop } from "~/transfer";
import { folderLink } from "./folder-link";
import styles from "./Locations.module.css";

type Props = { path: string; icon: LucideIcon; text: string };

export function LocationLink({ path, icon: Icon, text }: Props) {
  const drop = useFolderDrop(path);
  return (
    <li>
      <Link
        className={styles.link}
        {...folderLink(path)}
        {...drop.props}
        data-target={drop.isTarget || undefined}
        // All other locations lie below the address of the own files, too.
        activeOptions={{ exact: path === "", includeSearch: false }}
      >
        <Icon size={18} aria-hidden />
        <span className={styles.name}>{text}</span>
      </Link>
    </li>
  );
}
