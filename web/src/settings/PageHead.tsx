import type { ReactNode } from "react";
import { PageTitle } from "~/controls/PageTitle";
import styles from "./PageHead.module.css";

type Props = { title: string; intro?: ReactNode; children?: ReactNode };

/** What a page of settings is for, and the button for what is done there most. */
export function PageHead({ title, intro, children }: Props) {
  return (
    <div className={styles.head}>
      <PageTitle text={title} />
      <div className={styles.text}>
        <h1>{title}</h1>
        {intro !== undefined && <p className={styles.intro}>{intro}</p>}
      </div>
      {children}
    </div>
  );
}
