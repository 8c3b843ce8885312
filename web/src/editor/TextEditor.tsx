import { useQuery } from "@tanstack/react-query";
import { FileWarning } from "lucide-react";
import { Button } from "~/controls/Button";
import { EmptyState } from "~/controls/EmptyState";
import { useMessages } from "~/messages";
import { PreviewFailed, PreviewSkeleton, textQuery } from "~/preview";
import { EditorFrame } from "./EditorFrame";

type Props = { path: string; onDone: () => void };

/** A text to be changed, once it is there and is one. */
export function TextEditor({ path, onDone }: Props) {
  const { t } = useMessages();
  // The preview may have shown it for long: what is changed is what is there now.
  const query = useQuery({ ...textQuery(path), refetchOnMount: "always", refetchOnReconnect: false });
  const { data: file, error, refetch, isFetchedAfterMount } = query;
  if (error) return <PreviewFailed error={error} onRetry={() => void refetch()} />;
  if (!file || !isFetchedAfterMount) return <PreviewSkeleton />;
  if (file.isText && file.isWhole) return <EditorFrame path={path} file={file} onDone={onDone} />;
  return (
    <EmptyState
      icon={FileWarning}
      title={t("editor.notEditable")}
      hint={t(file.isText ? "editor.tooLarge" : "editor.notText")}
    >
      <Button onPress={onDone}>{t("editor.back")}</Button>
    </EmptyState>
  );
}
