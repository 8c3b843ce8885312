import { FolderPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { FolderTree } from "~/folder-tree/FolderTree";
import { useMessages } from "~/messages";
import type { Entry } from "~/model/entries";
import { useIsReadOnly } from "~/model/locations";
import { childPath, isWithin } from "~/model/path";
import type { FileActions } from "~/transfer/actions";
import styles from "./FolderDialog.module.css";
import { NameDialog } from "./NameDialog";

type Props = {
  kind: "move" | "copy";
  entries: readonly Entry[];
  /** The folder where they are. */
  from: string;
  actions: FileActions;
  onClose: () => void;
  onChoose: (destination: string) => void;
};

/** Asks for the folder where something goes, which can be made there. */
export function FolderDialog({ kind, entries, from, actions, onClose, onChoose }: Props) {
  const { t } = useMessages();
  const [chosen, setChosen] = useState(from);
  const [isNaming, setNaming] = useState(false);
  const isReadOnly = useIsReadOnly(chosen);
  /** A folder cannot move into itself, nor into a read-only one. */
  const forbids = (path: string, readOnly: boolean) =>
    readOnly || entries.some((entry) => entry.isDirectory && isWithin(path, entry.path));
  const staysThere = kind === "move" && chosen === from;
  return (
    <Dialog title={t(kind === "move" ? "files.moveTo" : "files.copyTo")} size="medium" onClose={onClose}>
      <FolderTree chosen={chosen} onChoose={setChosen} forbids={forbids} />
      <DialogButtons>
        <span className={styles.aside}>
          <Button icon={FolderPlus} isDisabled={isReadOnly} onPress={() => setNaming(true)}>
            {t("files.newFolder")}
          </Button>
        </span>
        <Button onPress={onClose}>{t("app.cancel")}</Button>
        <Button
          look="primary"
          isDisabled={staysThere || isReadOnly}
          onPress={() => {
            onClose();
            onChoose(chosen);
          }}
        >
          {t(kind === "move" ? "files.move" : "files.copy")}
        </Button>
      </DialogButtons>
      {isNaming && (
        <NameDialog
          kind="newFolder"
          folder={chosen}
          actions={actions}
          onClose={() => setNaming(false)}
          onMade={(name) => setChosen(childPath(chosen, name))}
        />
      )}
    </Dialog>
  );
}
