import { useQueryClient } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useEffect, useRef } from "react";
import { useIsReached } from "~/api/reach";
import { useMessages } from "~/messages";
import styles from "./OfflineNote.module.css";

/** Says that the server is not reached, and looks at all that is shown again when it is. */
export function OfflineNote() {
  const { t } = useMessages();
  const client = useQueryClient();
  const isReached = useIsReached();
  const wasReached = useRef(isReached);
  useEffect(() => {
    if (isReached && !wasReached.current) void client.invalidateQueries();
    wasReached.current = isReached;
  }, [isReached, client]);
  return (
    <div className={styles.note} role="status" data-shown={!isReached || undefined}>
      {!isReached && (
        <>
          <CloudOff size={16} aria-hidden />
          <span>{t("app.offline")}</span>
        </>
      )}
    </div>
  );
}
