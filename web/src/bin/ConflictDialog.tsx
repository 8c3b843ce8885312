import { useState } from "react";
import { FormDialog } from "~/controls/FormDialog";
import { SelectField } from "~/controls/SelectField";
import { useMessages } from "~/messages";
import type { BinActions } from "./actions";
import { nameOf } from "./columns";
import type { OnConflict } from "./conflict";
import type { BinItem } from "./query";

type Props = { items: readonly BinItem[]; actions: BinActions; onClose: () => void; onDone: () => void };

const CHOICES: readonly OnConflict[] = ["keepBoth", "replace", "skip"];

/** Asks what is to become of names that are taken where something was. */
export function ConflictDialog({ items, actions, onClose, onDone }: Props) {
  const { t } = useMessages();
  const [choice, setChoice] = useState<OnConflict>("keepBoth");
  const [only] = items;
  const submit = async () => {
    onDone();
    void actions.restore(items, choice);
  };
  return (
    <FormDialog title={t("bin.conflictTitle")} submit={t("bin.restore")} onSubmit={submit} onClose={onClose}>
      <p>{items.length === 1 && only ? t("bin.conflictOne", { name: nameOf(only) }) : t("bin.conflictMany")}</p>
      <SelectField
        label={t("bin.conflictChoice")}
        value={choice}
        choices={CHOICES.map((value) => ({ value, text: t(`bin.${value}`) }))}
        hint={t(`bin.${choice}Hint`)}
        onChange={setChoice}
      />
    </FormDialog>
  );
}
