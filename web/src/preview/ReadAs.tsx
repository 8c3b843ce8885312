import { useQueryClient } from "@tanstack/react-query";
import { keys } from "~/api/keys";
import { ENCODINGS, type Encoding, encodingName } from "~/content/encodings";
import { chooseEncoding, type TextFile } from "~/content/text-file";
import { SelectField } from "~/controls/SelectField";
import { useMessages } from "~/messages";
import styles from "./PreviewBody.module.css";

const CHOICES = ENCODINGS.map((value) => ({ value, text: encodingName(value) }));

/** Asks what a text is read as, where its bytes do not tell. */
export function ReadAs({ path, file: { encoding, isGuess } }: { path: string; file: TextFile }) {
  const { t } = useMessages();
  const client = useQueryClient();
  if (!isGuess || encoding === null) return null;
  const choose = (chosen: Encoding) => {
    chooseEncoding(path, chosen);
    void client.invalidateQueries({ queryKey: keys.text(path) });
  };
  return (
    <div className={styles.readAs}>
      <SelectField label={t("preview.readAs")} value={encoding} choices={CHOICES} onChange={choose} />
    </div>
  );
}
