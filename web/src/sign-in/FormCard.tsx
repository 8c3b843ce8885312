import type { FormEvent, ReactNode } from "react";
import { PageTitle } from "~/controls/PageTitle";
import { useMessages } from "~/messages";
import { at } from "~/platform/base";
import styles from "./FormCard.module.css";

type Props = { title: string; onSubmit: (event: FormEvent) => void; children: ReactNode };

/** A page of one short form, for those who are not signed in. */
export function FormCard({ title, onSubmit, children }: Props) {
  const { t } = useMessages();
  return (
    <main className={styles.page}>
      <PageTitle text={title} />
      <form className={styles.card} onSubmit={onSubmit} noValidate>
        <p className={styles.brand}>
          <img src={at("/icon.svg")} alt="" width={28} height={28} />
          {t("app.name")}
        </p>
        <h1>{title}</h1>
        {children}
      </form>
    </main>
  );
}

/** The error of a form; the element is always there, so that screen readers announce its text. */
export function FormProblem({ text }: { text: string | null }) {
  return (
    <p className={styles.problem} role="alert">
      {text}
    </p>
  );
}
