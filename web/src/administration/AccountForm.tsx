import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "~/controls/FormDialog";
import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { changeAccount, createAccount } from "./actions";
import { QuotaField } from "./QuotaField";
import type { ManagedAccount } from "./queries";
import { bytesOf, quotaOf } from "./quota";

type Props = { account: ManagedAccount | null; onClose: () => void };

/** Makes an account, or changes one. */
export function AccountForm({ account, onClose }: Props) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [userName, setUserName] = useState("");
  const [password, setPassword] = useState("");
  const [displayName, setDisplayName] = useState(account?.displayName ?? "");
  const [role, setRole] = useState(account?.role ?? "user");
  const [quota, setQuota] = useState(quotaOf(account?.storageLimit ?? 0));
  const storageLimit = bytesOf(quota);
  const submit = async () => {
    const name = displayName.trim();
    const common = { role, storageLimit, ...(name !== "" && { displayName: name }) };
    if (account) {
      // What stays is not sent: the audit log tells what was.
      const isChanged = ([key, value]: [string, unknown]) => value !== account[key as keyof ManagedAccount];
      const changes = Object.entries(common).filter(isChanged);
      if (changes.length > 0) await changeAccount(client, account.userName, Object.fromEntries(changes));
      return;
    }
    await createAccount(client, { userName, ...common, ...(password !== "" && { password }) });
    showToast({ text: t("admin.accountMade", { name: userName }) });
  };
  return (
    <FormDialog
      title={account ? t("admin.editAccount", { name: account.userName }) : t("admin.newAccount")}
      submit={t(account ? "admin.save" : "admin.createAccount")}
      isDisabled={storageLimit === null || (!account && userName === "")}
      onSubmit={submit}
      onClose={onClose}
    >
      {!account && (
        <>
          <TextField
            label={t("signIn.userName")}
            hint={t("setUp.userNameHint")}
            autoComplete="off"
            autoFocus
            isRequired
            value={userName}
            onChange={setUserName}
          />
          <TextField
            label={t("signIn.password")}
            hint={t("admin.passwordHint")}
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
          />
        </>
      )}
      <TextField
        label={t("admin.displayName")}
        hint={t("admin.displayNameHint")}
        value={displayName}
        onChange={setDisplayName}
      />
      <SelectField
        label={t("admin.role")}
        value={role}
        choices={[
          { value: "user", text: t("admin.roleUser") },
          { value: "admin", text: t("admin.roleAdmin") },
        ]}
        hint={account && role !== account.role ? t("admin.roleHint") : undefined}
        onChange={setRole}
      />
      <QuotaField quota={quota} onChange={setQuota} />
    </FormDialog>
  );
}
