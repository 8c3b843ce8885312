import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "~/controls/FormDialog";
import { TextField } from "~/controls/TextField";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { changeAccount } from "./actions";
import type { ManagedAccount } from "./queries";

/** Gives an account another password, where the last one is forgotten. */
export function PasswordDialog({ account, onClose }: { account: ManagedAccount; onClose: () => void }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const { userName } = account;
  const submit = async () => {
    await changeAccount(client, userName, { password });
    showToast({ text: t("admin.passwordSet", { name: userName }) });
  };
  return (
    <FormDialog
      title={t("admin.setPasswordOf", { name: userName })}
      submit={t("admin.setPassword")}
      isDisabled={password === ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t("admin.setPasswordText")}</p>
      <TextField
        label={t("admin.newPassword")}
        hint={t("setUp.passwordHint")}
        type="password"
        autoComplete="new-password"
        autoFocus
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}
