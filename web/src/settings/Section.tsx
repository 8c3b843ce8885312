import { type ReactNode, useId } from "react";
import styles from "./Section.module.css";

type Props = { title: string; hint?: string; children: ReactNode };

/** A part of a page of settings: what it is about beside what can be done. */
export function Section({ title, hint, children }: Props) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
