import { useQuery } from "@tanstack/react-query";
import { CodeView } from "~/content/CodeView";
import { NoPreview, PreviewFailed, PreviewSkeleton } from "~/content/ContentStates";
import { textQuery } from "~/content/text-file";
import { useMessages } from "~/messages";
import { nameOf } from "~/model/path";
import styles from "./PreviewBody.module.css";
import { ReadAs } from "./ReadAs";

/** A text in the colours of its language. HTML is a text too: what is in it is shown, not done. */
export function TextPreview({ path }: { path: string }) {
  const { t } = useMessages();
  const { data: file, error, refetch, dataUpdatedAt } = useQuery(textQuery(path));
  if (error) return <PreviewFailed error={error} onRetry={() => void refetch()} />;
  if (!file) return <PreviewSkeleton />;
  if (file.encoding === null) return <NoPreview />;
  return (
    <div className={styles.text}>
      <ReadAs path={path} file={file} />
      <CodeView
        key={dataUpdatedAt}
        name={nameOf(path)}
        label={nameOf(path)}
        text={file.text}
        lineBreak={file.lineBreak}
        isReadOnly
      />
      {!file.isWhole && <p className={styles.note}>{t("preview.cut")}</p>}
    </div>
  );
}
