import { Check, RotateCcw, Upload, X } from "lucide-react";
import { type DragEvent, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "~/controls/Button";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import styles from "./GuestUploads.module.css";
import { type GuestUpload, GuestUploadsStore } from "./uploads-store";

/** A folder into which guests may put files, of which they see nothing else. */
export function GuestUploads({ token, name }: { token: string; name: string }) {
  const { t } = useMessages();
  const [store] = useState(() => new GuestUploadsStore(token));
  const uploads = useSyncExternalStore(store.subscribe, store.snapshot);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === "file");
    const files = items.flatMap((item) => (item.webkitGetAsEntry()?.isDirectory ? [] : (item.getAsFile() ?? [])));
    if (files.length < items.length) showToast({ text: t("guest.noFolders"), tone: "danger" });
    store.add(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here is chosen by the button too
    <div
      className={styles.page}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className={styles.drop}>
        <Upload className={styles.icon} size={40} strokeWidth={1.25} aria-hidden />
        <h1 className={styles.title}>{t("guest.uploadTitle", { name })}</h1>
        <p className={styles.hint}>{t("guest.uploadHint")}</p>
        <input
          ref={input}
          className={styles.input}
          type="file"
          multiple
          tabIndex={-1}
          aria-label={t("guest.chooseFiles")}
          onChange={(event) => {
            store.add([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        <Button look="primary" onPress={() => input.current?.click()}>
          {t("guest.chooseFiles")}
        </Button>
      </div>
      <p className="hidden-text" role="status">
        {uploads.length > 0 && t("guest.uploaded", { count: uploads.filter(({ phase }) => phase === "done").length })}
      </p>
      {uploads.length > 0 && (
        <ul className={styles.list} aria-label={t("guest.uploads")}>
          {uploads.map((upload) => (
            <UploadItem key={upload.id} upload={upload} store={store} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Why the server refused an upload, as a message's key. */
function reasonOf(
  status: number | null,
): "problem.offline" | "problem.rate_limited" | "problem.failed" | "guest.goneHint" | "guest.full" {
  if (status === null) return "problem.offline";
  if (status === 404 || status === 401 || status === 403) return "guest.goneHint";
  if (status === 507 || status === 413) return "guest.full";
  return status === 429 ? "problem.rate_limited" : "problem.failed";
}

export function UploadItem({ upload, store }: { upload: GuestUpload; store: GuestUploadsStore }) {
  const { t, formats } = useMessages();
  const { id, name, size, sent, phase, status } = upload;
  return (
    <li className={styles.upload} data-phase={phase}>
      <span className={styles.name} title={name}>
        <bdi>{name}</bdi>
      </span>
      <span className={styles.size}>{formats.size(size)}</span>
      {phase === "done" ? (
        <span className={styles.state}>
          <Check size={16} aria-hidden />
          {t("guest.done")}
        </span>
      ) : (
        <span className={styles.buttons}>
          {phase === "failed" && (
            <Button look="quiet" icon={RotateCcw} iconOnly onPress={() => store.retry(id)}>
              {t("app.retry")}
            </Button>
          )}
          <Button look="quiet" icon={X} iconOnly onPress={() => void store.drop(id)}>
            {t("app.cancel")}
          </Button>
        </span>
      )}
      {phase === "failed" && (
        <p className={styles.problem} role="alert">
          {t(reasonOf(status))}
        </p>
      )}
      {(phase === "sending" || phase === "waiting") && (
        <progress
          className={styles.progress}
          aria-label={t("guest.progressOf", { name })}
          max={Math.max(size, 1)}
          value={sent}
        />
      )}
    </li>
  );
}
