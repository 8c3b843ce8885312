import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Folder } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "react-aria-components/Button";
import { FolderTree } from "~/folder-tree";
import { locationsQuery } from "~/locations";
import { useMessages } from "~/messages";
import styles from "./FolderField.module.css";
import { folderName } from "./folder-name";

type Props = { folder: string; onChange: (folder: string) => void };

/** The folder that a key is limited to, chosen in a tree; the root is no limit. */
export function FolderField({ folder, onChange }: Props) {
  const { t } = useMessages();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { data: locations = [] } = useQuery(locationsQuery);
  return (
    <div className={styles.field}>
      <span id={`${id}-label`} className={styles.label}>
        {t("keys.folder")}
      </span>
      <Button
        className={styles.button ?? ""}
        aria-labelledby={`${id}-label ${id}-value`}
        aria-describedby={`${id}-hint`}
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        <Folder size={16} aria-hidden />
        <bdi id={`${id}-value`} className={styles.value}>
          {folder === "" ? t("keys.everything") : folderName(folder, locations)}
        </bdi>
        <ChevronDown size={16} aria-hidden />
      </Button>
      {isOpen && <FolderTree chosen={folder} onChoose={onChange} forbids={() => false} />}
      <p id={`${id}-hint`} className={styles.hint}>
        {t("keys.folderHint")}
      </p>
    </div>
  );
}
