import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CheckField } from "~/controls/CheckField";
import { FormDialog } from "~/controls/FormDialog";
import { TextField } from "~/controls/TextField";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { removeAccount } from "./actions";
import type { ManagedAccount } from "./queries";

/** Removes an account once its name was typed, so that it is not the one beside it. */
export function RemoveAccountDialog({ account, onClose }: { account: ManagedAccount; onClose: () => void }) {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const [isPurged, setPurged] = useState(false);
  const { userName, storageUsed } = account;
  const submit = async () => {
    await removeAccount(client, userName, isPurged ? "purge" : "keep");
    showToast({ text: t("admin.accountRemoved", { name: userName }) });
  };
  return (
    <FormDialog
      isDanger
      title={t("admin.removeTitle", { name: userName })}
      submit={t("admin.removeNow")}
      isDisabled={typed !== userName}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t("admin.removeText")}</p>
      <CheckField
        label={t("admin.purge", { size: formats.size(storageUsed) })}
        hint={t(isPurged ? "admin.purgeHint" : "admin.keepHint")}
        isChecked={isPurged}
        onChange={setPurged}
      />
      <TextField label={t("admin.typeName", { name: userName })} autoComplete="off" value={typed} onChange={setTyped} />
    </FormDialog>
  );
}
