import { Link } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { useFolderDrop } from "~/transfer";
import { folderLink } from "./folder-link";
import styles from "./Locations.module.css";

type Props = {
  path: string;
  icon: LucideIcon;
  text: string;
  isReadOnly?: boolean;
  /** The page shows something in it. */
  isCurrent: boolean;
};

export function LocationLink({ path, icon: Icon, text, isReadOnly = false, isCurrent }: Props) {
  const drop = useFolderDrop(path, !isReadOnly);
  return (
    <li>
      <Link
        className={styles.link}
        {...folderLink(path)}
        {...drop.props}
        data-target={drop.isTarget || undefined}
        data-current={isCurrent || undefined}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        <Icon size={18} aria-hidden />
        <span className={styles.name}>{text}</span>
      </Link>
    </li>
  );
}
