import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./EmptyState.module.css";

type Props = { icon: LucideIcon; title: string; hint?: string; children?: ReactNode; tone?: "info" | "danger" };

/** The placeholder of an empty list, an empty search or something that cannot be shown. */
export function EmptyState({ icon: Icon, title, hint, children, tone = "info" }: Props) {
  return (
    <div className={styles.empty} role={tone === "danger" ? "alert" : undefined}>
      <Icon size={40} strokeWidth={1.25} aria-hidden />
      <h2>{title}</h2>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}
