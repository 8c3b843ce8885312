import { type ReactNode, useId } from "react";
import { PageTitle } from "~/controls/PageTitle";
import pageHeadStyles from "./PageHead.module.css";
import styles from "./Section.module.css";

type SectionProps = { title: string; hint?: string; children: ReactNode };

/** A part of a page of settings: what it is about beside what can be done. */
export function Section({ title, hint, children }: SectionProps) {
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

type PageHeadProps = { title: string; intro?: ReactNode; children?: ReactNode };

/** The head of a page of settings: title, purpose, and the button of the main action. */
export function PageHead({ title, intro, children }: PageHeadProps) {
  return (
    <div className={pageHeadStyles.head}>
      <PageTitle text={title} />
      <div className={pageHeadStyles.text}>
        <h1>{title}</h1>
        {intro !== undefined && <p className={pageHeadStyles.intro}>{intro}</p>}
      </div>
      {children}
    </div>
  );
}
