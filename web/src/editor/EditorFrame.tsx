import { Save } from "lucide-react";
import { type KeyboardEvent, lazy, Suspense, useRef } from "react";
import { Button } from "~/controls/Button";
import { nameOf } from "~/files";
import { useMessages } from "~/messages";
import type { TextFile } from "~/preview";
import { type CodeHandle, CodeView } from "./CodeView";
import styles from "./EditorFrame.module.css";
import { LeaveDialog } from "./LeaveDialog";
import { useSaving } from "./useSaving";

const ConflictDialog = lazy(async () => ({ default: (await import("./ConflictDialog")).ConflictDialog }));

type Props = { path: string; file: TextFile; onDone: () => void };

/** The text, and what has become of it. */
export function EditorFrame({ path, file, onDone }: Props) {
  const { t } = useMessages();
  const code = useRef<CodeHandle>(null);
  const saving = useSaving(path, file, code);
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
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
      {saving.conflict && (
        <Suspense>
          <ConflictDialog path={path} conflict={saving.conflict} onChoose={saving.resolve} />
        </Suspense>
      )}
      <LeaveDialog isChanged={saving.isChanged} />
    </div>
  );
}
