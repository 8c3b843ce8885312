import { useState } from "react";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { FolderTree } from "~/folder-tree";
import { useMessages } from "~/messages";
import type { Entry } from "./entries";
import { isWithin } from "./path";

type Props = {
  kind: "move" | "copy";
  entries: readonly Entry[];
  /** The folder where they are. */
  from: string;
  onClose: () => void;
  onChoose: (destination: string) => void;
};

/** Asks for the folder where something goes. */
export function FolderDialog({ kind, entries, from, onClose, onChoose }: Props) {
  const { t } = useMessages();
  const [chosen, setChosen] = useState(from);
  /** Nothing goes into itself, nor where it cannot be written. */
  const forbids = (path: string, readOnly: boolean) =>
    readOnly || entries.some((entry) => entry.isDirectory && isWithin(path, entry.path));
  const staysThere = kind === "move" && chosen === from;
  return (
    <Dialog title={t(kind === "move" ? "files.moveTo" : "files.copyTo")} size="medium" onClose={onClose}>
      <FolderTree chosen={chosen} onChoose={setChosen} forbids={forbids} />
      <DialogButtons>
        <Button onPress={onClose}>{t("app.cancel")}</Button>
        <Button
          look="primary"
          isDisabled={staysThere}
          onPress={() => {
            onClose();
            onChoose(chosen);
          }}
        >
          {t(kind === "move" ? "files.move" : "files.copy")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
