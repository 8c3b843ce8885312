import { FolderUp, Upload } from "lucide-react";
import { type ChangeEvent, useRef } from "react";
import { Button } from "~/controls/Button";
import { later } from "~/controls/later";
import { useMessages, withPageTexts } from "~/messages";
import { useIsReadOnly } from "~/model/locations";
import { chosenByInput } from "./chosen";
import { DropArea } from "./DropArea";
import styles from "./UploadControls.module.css";
import { useBeginUpload } from "./useBeginUpload";

const NoRoomDialog = later(() => withPageTexts(async () => (await import("./NoRoomDialog")).NoRoomDialog));

/** An attribute that React has no type of. */
const DIRECTORY = { webkitdirectory: "" };

type Props = {
  folder: string;
  /** There is no such folder. */
  isOff: boolean;
  /** Of what says why nothing can be uploaded here. */
  reasonId: string;
};

/** The ways to upload files of this device: buttons, dropping, and pasting. */
export function UploadControls({ folder, isOff, reasonId }: Props) {
  const { t } = useMessages();
  const files = useRef<HTMLInputElement>(null);
  const directory = useRef<HTMLInputElement>(null);
  const { begin, isLooking, noRoom, closeNoRoom } = useBeginUpload();
  const isReadOnly = useIsReadOnly(folder);
  const possible = { isDisabled: isReadOnly || isOff, ...(isReadOnly && { "aria-describedby": reasonId }) };
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    void begin(chosenByInput(target.files ?? []), folder);
    // The same may be chosen once more.
    target.value = "";
  };
  return (
    <>
      <Button look="primary" icon={Upload} iconOnly="narrow" {...possible} onPress={() => files.current?.click()}>
        {t("uploads.upload")}
      </Button>
      <span className={styles.folderButton}>
        <Button {...possible} icon={FolderUp} iconOnly onPress={() => directory.current?.click()}>
          {t("uploads.chooseFolder")}
        </Button>
      </span>
      <input ref={files} type="file" multiple hidden aria-label={t("uploads.chooseFiles")} onChange={take} />
      <input ref={directory} type="file" {...DIRECTORY} hidden aria-label={t("uploads.chooseFolder")} onChange={take} />
      {!isReadOnly && !isOff && <DropArea folder={folder} onDrop={begin} />}
      <span className="hidden-text" role="status">
        {isLooking && t("uploads.looking")}
      </span>
      {noRoom && <NoRoomDialog noRoom={noRoom} onClose={closeNoRoom} />}
    </>
  );
}
