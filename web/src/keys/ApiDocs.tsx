import { ExternalLink } from "lucide-react";
import { useMessages } from "~/messages";
import styles from "./ApiDocs.module.css";

/** Where what a key is good for is described. */
export function ApiDocs() {
  const { t } = useMessages();
  return (
    <p className={styles.docs}>
      {t("keys.docs")}
      <DocsLink href="/api/docs" text={t("keys.docsV1")} />
      <DocsLink href="/api/v2/docs" text={t("keys.docsV2")} />
    </p>
  );
}

function DocsLink({ href, text }: { href: string; text: string }) {
  return (
    <a className={styles.link} href={href} target="_blank" rel="noreferrer">
      {text}
      <ExternalLink size={14} aria-hidden />
    </a>
  );
}
