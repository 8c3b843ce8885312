import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { useMessages } from "~/messages";
import { Button } from "./Button";
import styles from "./Toasts.module.css";
import { dismissToast, type Toast, useToasts } from "./toast-store";

const SHOWN_MS = 8_000;

/** Recent messages. They stay while somebody points at them or works in them. */
export function Toasts() {
  const toasts = useToasts();
  const { t } = useMessages();
  const [isHeld, setHeld] = useState(false);
  return (
    <section
      className={styles.toasts}
      aria-label={t("app.notifications")}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={styles.list} aria-live="polite">
        {toasts.map((toast) => (
          <ToastView key={toast.id} toast={toast} isHeld={isHeld} />
        ))}
      </div>
    </section>
  );
}

function ToastView({ toast, isHeld }: { toast: Toast; isHeld: boolean }) {
  const { t } = useMessages();
  const { id, action } = toast;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissToast(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  const act = () => {
    dismissToast(id);
    action?.run();
  };
  return (
    <div className={styles.toast} data-tone={toast.tone}>
      <p className={styles.text} role={toast.tone === "danger" ? "alert" : undefined}>
        {toast.text}
      </p>
      {action && (
        <Button look="quiet" onPress={act}>
          {action.text}
        </Button>
      )}
      <Button look="quiet" icon={X} iconOnly onPress={() => dismissToast(id)}>
        {t("app.dismiss")}
      </Button>
    </div>
  );
}
