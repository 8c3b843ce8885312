import { Download, File } from "lucide-react";
import { Button } from "~/controls/Button";
import { joined, useMessages } from "~/messages";
import { contentAddress, type GuestLink, save } from "./api";
import styles from "./GuestFile.module.css";

/** One file that a link opens. */
export function GuestFile({ token, link }: { token: string; link: GuestLink }) {
  const { t, formats } = useMessages();
  const facts: string[] = [];
  if (link.size !== null) facts.push(formats.size(link.size));
  if (link.modifiedAt !== null) facts.push(formats.dateTime(link.modifiedAt));
  return (
    <div className={styles.file}>
      <File className={styles.icon} size={56} strokeWidth={1.2} aria-hidden />
      <h1 className={styles.name}>
        <bdi>{link.name}</bdi>
      </h1>
      <p className={styles.facts}>{joined(facts)}</p>
      <Button look="primary" icon={Download} onPress={() => save(contentAddress(token, ""))}>
        {t("files.download")}
      </Button>
    </div>
  );
}
