import { useMemo, useState } from "react";
import { type CharacterSet, characterSets } from "~/content/character-sets";
import { FormDialog } from "~/controls/Dialog";
import { SelectField } from "~/controls/SelectField";
import { useMessages } from "~/messages";
import type { Entry } from "~/model/entries";
import type { FileActions } from "~/transfer/actions";
import { unpack } from "~/transfer/unpack";

type Props = { archive: Entry; folder: string; actions: FileActions; onClose: () => void };

/** Asks what the names in an archive are written in, and unpacks it. */
export function UnpackDialog({ archive, folder, actions, onClose }: Props) {
  const { t, language } = useMessages();
  const choices = useMemo(() => characterSets(language, [language, ...navigator.languages]), [language]);
  const [chosen, setChosen] = useState<CharacterSet>(choices[0]?.value ?? "ibm437");
  return (
    <FormDialog
      title={t("unpack.title", { name: archive.name })}
      submit={t("files.unpack")}
      onSubmit={async () => void unpack(actions, archive, folder, chosen)}
      onClose={onClose}
    >
      <SelectField
        label={t("unpack.namesAreIn")}
        hint={t("unpack.namesAreInHint")}
        value={chosen}
        choices={choices}
        onChange={setChosen}
      />
    </FormDialog>
  );
}
