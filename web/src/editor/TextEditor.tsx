import { useQuery } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { FileWarning, Save } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { type CodeHandle, CodeView } from "~/content/CodeView";
import { PreviewFailed, PreviewSkeleton } from "~/content/ContentStates";
import { encodingName } from "~/content/encodings";
import { MOST_TEXT_BYTES, type TextFile, textQuery } from "~/content/text-file";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { EmptyState } from "~/controls/EmptyState";
import { later } from "~/controls/later";
import { useMessages } from "~/messages";
import { nameOf } from "~/model/path";
import { latinLetterOf } from "~/platform/keys";
import styles from "./EditorFrame.module.css";
import { useSaving } from "./useSaving";

type TextEditorProps = { path: string; onDone: () => void };

/** A text to be changed, once it is there and is one. */
export function TextEditor({ path, onDone }: TextEditorProps) {
  const { t, formats } = useMessages();
  // The preview may have shown it for long: what is changed is what is there now.
  const query = useQuery({ ...textQuery(path), refetchOnMount: "always", refetchOnReconnect: false });
  const { data: file, error, refetch, isFetchedAfterMount } = query;
  if (error) return <PreviewFailed error={error} onRetry={() => void refetch()} />;
  if (!file || !isFetchedAfterMount) return <PreviewSkeleton />;
  if (file.canWrite) return <EditorFrame path={path} file={file} onDone={onDone} />;
  return (
    <EmptyState
      icon={FileWarning}
      title={t("editor.notEditable")}
      hint={file.isWhole ? t("editor.notText") : t("editor.tooLarge", { size: formats.size(MOST_TEXT_BYTES) })}
    >
      <Button onPress={onDone}>{t("editor.back")}</Button>
    </EmptyState>
  );
}

const ConflictDialog = later(async () => (await import("./ConflictDialog")).ConflictDialog);

type EditorFrameProps = { path: string; file: TextFile; onDone: () => void };

/** The text, and what has become of it. */
export function EditorFrame({ path, file, onDone }: EditorFrameProps) {
  const { t } = useMessages();
  const code = useRef<CodeHandle>(null);
  const saving = useSaving(path, file, code);
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && latinLetterOf(event) === "s") {
      event.preventDefault();
      void saving.save();
    }
    // Escape has closed something within the editor.
    if (event.key === "Escape" && event.defaultPrevented) event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that come from the editor
    <div className={styles.frame} data-own-keys onKeyDown={onKeyDown}>
      <div className={styles.bar}>
        <Button
          look="primary"
          icon={Save}
          isDisabled={!saving.isChanged || saving.isBusy}
          onPress={() => void saving.save()}
        >
          {t("editor.save")}
        </Button>
        <Button onPress={onDone}>{t("editor.done")}</Button>
        <p role="status" className={styles.state}>
          {t(saving.isBusy ? "editor.saving" : saving.isChanged ? "editor.unsaved" : "editor.saved")}
        </p>
        {saving.refusal !== null && (
          <p role="alert" className={styles.refusal}>
            {saving.refusal}
          </p>
        )}
        {saving.stranger !== null && saving.encoding !== null && (
          <p role="alert" className={styles.refusal}>
            {t("editor.noPlace", { encoding: encodingName(saving.encoding), character: saving.stranger })}
          </p>
        )}
        {saving.stranger !== null && <Button onPress={() => void saving.saveAsUtf8()}>{t("editor.saveAsUtf8")}</Button>}
      </div>
      <CodeView
        key={saving.shown.lineBreak}
        name={nameOf(path)}
        label={t("editor.label", { name: nameOf(path) })}
        text={saving.shown.text}
        lineBreak={saving.shown.lineBreak}
        isReadOnly={false}
        onChange={saving.noteChange}
        handle={code}
      />
      {saving.conflict && <ConflictDialog path={path} conflict={saving.conflict} onChoose={saving.resolve} />}
      <LeaveDialog isChanged={saving.isChanged} />
    </div>
  );
}

/** Asks before what is not stored is left; the browser asks by itself where the whole page goes. */
function LeaveDialog({ isChanged }: { isChanged: boolean }) {
  const { t } = useMessages();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Dialog title={t("editor.leaveTitle")} role="alertdialog" onClose={reset}>
      <p>{t("editor.leaveHint")}</p>
      <DialogButtons>
        <Button autoFocus onPress={reset}>
          {t("editor.stay")}
        </Button>
        <Button look="danger" onPress={proceed}>
          {t("editor.leave")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
