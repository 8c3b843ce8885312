import { useQuery } from "@tanstack/react-query";
import { CopyField } from "~/controls/CopyField";
import { useMessages } from "~/messages";
import { serverQuery } from "./queries";
import styles from "./ServerFolderTree.module.css";
import { ROOTS_LINE, shareCommand } from "./share-roots";

/** Says how folders of the server become ones that can be shared. */
export function NoShareRoots() {
  const { t } = useMessages();
  const { data: server } = useQuery(serverQuery);
  return (
    <>
      <p className={styles.hint}>{t("admin.noRoots")}</p>
      {server && (
        <>
          <CopyField
            label={t("admin.rootsLine", { file: server.settingsFile })}
            value={ROOTS_LINE}
            copy={t("app.copy")}
            iconOnly
          />
          <CopyField
            label={t("admin.rootsCommand")}
            value={shareCommand(server)}
            copy={t("app.copy")}
            iconOnly
            rows={3}
          />
        </>
      )}
    </>
  );
}
