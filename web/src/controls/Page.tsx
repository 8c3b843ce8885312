import type { ReactNode } from "react";
import styles from "./Page.module.css";
import { PageTitle } from "./PageTitle";

type Props = {
  title: string;
  /** What it is for, where that is not plain. */
  intro?: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** What can be done with the list below; it stays where it is. */
  toolbar?: ReactNode;
  children: ReactNode;
};

/** A page with a title, which scrolls below it. */
export function Page({ title, intro, actions, toolbar, children }: Props) {
  return (
    <div className={styles.page}>
      <PageTitle text={title} />
      <header className={styles.head}>
        <div>
          <h1>{title}</h1>
          {intro !== undefined && <p className={styles.intro}>{intro}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {toolbar}
      <div className={styles.content}>{children}</div>
    </div>
  );
}
