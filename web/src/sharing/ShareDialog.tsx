import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { LinkSection } from "~/links/LinkSection";
import { useMessages } from "~/messages";
import { PeopleSection } from "./PeopleSection";
import styles from "./ShareDialog.module.css";

type Props = { path: string; name: string; isDirectory: boolean; onClose: () => void };

/** Both ways to share a file or folder: with people and groups, and by a link for anyone. */
export function ShareDialog({ path, name, isDirectory, onClose }: Props) {
  const { t } = useMessages();
  return (
    <Dialog title={t("links.shareTitle", { name })} size="large" onClose={onClose}>
      <div className={styles.ways}>
        <PeopleSection path={path} isDirectory={isDirectory} />
        <LinkSection path={path} isDirectory={isDirectory} />
      </div>
      <DialogButtons>
        <Button onPress={onClose}>{t("app.close")}</Button>
      </DialogButtons>
    </Dialog>
  );
}
