import { type ReactNode, useId } from "react";
import styles from "./DetailsSection.module.css";

type Props = { title: string; children: ReactNode };

/** A part of what is told of an item, below a line. */
export function DetailsSection({ title, children }: Props) {
  const heading = useId();
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h3 id={heading} className={styles.heading}>
        {title}
      </h3>
      {children}
    </section>
  );
}
