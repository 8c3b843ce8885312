import { Check, RotateCcw, X } from "lucide-react";
import { Button } from "~/controls/Button";
import { useMessages } from "~/messages";
import styles from "./GuestUploads.module.css";
import type { GuestUpload, GuestUploadsStore } from "./uploads-store";

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
