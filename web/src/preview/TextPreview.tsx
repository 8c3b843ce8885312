import { useQuery } from "@tanstack/react-query";
import { CodeView } from "~/editor";
import { nameOf } from "~/files";
import { useMessages } from "~/messages";
import { NoPreview } from "./NoPreview";
import styles from "./PreviewBody.module.css";
import { PreviewFailed } from "./PreviewFailed";
import { PreviewSkeleton } from "./PreviewSkeleton";
import { isBinary } from "./text-file";
import { textQuery } from "./text-query";

/** A text in the colours of its language. HTML is a text too: what is in it is shown, not done. */
export function TextPreview({ path }: { path: string }) {
  const { t } = useMessages();
  const { data: file, error, refetch, dataUpdatedAt } = useQuery(textQuery(path));
  if (error) return <PreviewFailed error={error} onRetry={() => void refetch()} />;
  if (!file) return <PreviewSkeleton />;
  if (isBinary(file)) return <NoPreview />;
  return (
    <div className={styles.text}>
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
