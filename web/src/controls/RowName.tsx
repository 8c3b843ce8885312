import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./RowName.module.css";

type Props = {
  icon: LucideIcon;
  name: string;
  /** Of the whole row, shown below the name where there is no room for columns. */
  narrow?: string;
  isFolder?: boolean;
  /** Small marks behind the name. */
  children?: ReactNode;
};

/** The first cell of a row: what the row is about. */
export function RowName({ icon: Icon, name, narrow, isFolder = false, children }: Props) {
  return (
    <span className={styles.name} title={name}>
      <Icon size={20} strokeWidth={1.6} aria-hidden data-folder={isFolder || undefined} />
      <span className={styles.lines}>
        <span className={styles.line}>
          <bdi className={styles.text}>{name}</bdi>
          {children}
        </span>
        {narrow !== undefined && <span className={styles.narrow}>{narrow}</span>}
      </span>
    </span>
  );
}

export function Mark({ children, tone = "info" }: { children: ReactNode; tone?: "info" | "danger" }) {
  return (
    <span className={styles.mark} data-tone={tone}>
      {children}
    </span>
  );
}
