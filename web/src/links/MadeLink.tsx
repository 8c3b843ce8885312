import { Copy } from "lucide-react";
import { Button } from "~/controls/Button";
import { DialogButtons } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { joined, useMessages } from "~/messages";
import { factsOf } from "./facts";
import { addressOf, type Link } from "./query";
import styles from "./ShareDialog.module.css";
import { useLinkCommands } from "./useLinkCommands";

/** A link that was just made, ready to be passed on. */
export function MadeLink({ link, onClose }: { link: Link; onClose: () => void }) {
  const { t, formats } = useMessages();
  const { copy } = useLinkCommands();
  return (
    <div className={styles.form}>
      <TextField label={t("links.address")} isReadOnly value={addressOf(link) ?? ""} />
      <p className={styles.facts}>{joined(factsOf(link, t, formats))}</p>
      {link.hasPassword && <p>{t("links.tellPassword")}</p>}
      <DialogButtons>
        <Button onPress={onClose}>{t("app.close")}</Button>
        <Button autoFocus look="primary" icon={Copy} onPress={() => void copy(link)}>
          {t("links.copy")}
        </Button>
      </DialogButtons>
    </div>
  );
}
