import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CheckField } from "~/controls/CheckField";
import { FormDialog } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { changeAccount, type ManagedAccount, removeAccount, removeSecondFactor } from "./queries";

type Props = { account: ManagedAccount; onClose: () => void };

/** Gives an account another password, where the last one is forgotten. */
export function PasswordDialog({ account, onClose }: Props) {
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

/** Lets somebody in by the password alone who has lost what shows the codes. */
export function SecondFactorDialog({ account, onClose }: Props) {
  const { t } = useMessages();
  const client = useQueryClient();
  const { userName } = account;
  const submit = async () => {
    await removeSecondFactor(client, userName);
    showToast({ text: t("admin.secondFactorRemoved", { name: userName }) });
  };
  return (
    <FormDialog
      isDanger
      title={t("admin.removeSecondFactorOf", { name: userName })}
      submit={t("admin.removeSecondFactorNow")}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t("admin.removeSecondFactorText")}</p>
    </FormDialog>
  );
}

/** Removes an account once its name was typed, so that it is not the one beside it. */
export function RemoveAccountDialog({ account, onClose }: Props) {
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
