import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleUser, UserPlus, Users } from "lucide-react";
import { useMemo, useState } from "react";
import { methodsQuery } from "~/api/methods";
import { sentenceKey } from "~/api/problem";
import { useAccount } from "~/api/session";
import { Button } from "~/controls/Button";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { FormDialog } from "~/controls/Dialog";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { MenuItem } from "~/controls/Menu";
import { Page } from "~/controls/Page";
import { Mark, RowName } from "~/controls/RowName";
import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { showToast } from "~/controls/toast-store";
import { type Formats, joined, type Translate, useMessages } from "~/messages";
import { PasswordDialog, RemoveAccountDialog, SecondFactorDialog } from "./AccountDialogs";
import { QuotaField, RowMenu } from "./fields";
import { IdentitiesDialog } from "./IdentitiesDialog";
import { changeAccount, createAccount, type ManagedAccount, useAccounts } from "./queries";
import { bytesOf, quotaOf } from "./quota";

const idOf = ({ userName }: ManagedAccount) => userName;

/** The page of all accounts, their roles and quotas. */
export function AccountsPage() {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const { userName: own } = useAccount();
  const accounts = useAccounts();
  const [dialog, setDialog] = useState<OpenAccountDialog | null>(null);
  const columns = useMemo(() => {
    const disable = async ({ userName, disabled }: ManagedAccount) => {
      try {
        await changeAccount(client, userName, { disabled: !disabled });
        showToast({ text: t(disabled ? "admin.enabledNow" : "admin.disabledNow", { name: userName }) });
      } catch (error) {
        showToast({ text: t(sentenceKey(error)), tone: "danger" });
      }
    };
    return accountColumns(t, formats, { own, open: setDialog, disable: (account) => void disable(account) });
  }, [t, formats, client, own]);
  return (
    <Page
      title={t("admin.accounts")}
      actions={
        <Button look="primary" icon={UserPlus} onPress={() => setDialog({ kind: "new" })}>
          {t("admin.newAccount")}
        </Button>
      }
    >
      <ListState list={accounts} empty={<EmptyState icon={Users} title={t("admin.noAccounts")} />}>
        <DataGrid
          label={t("admin.accounts")}
          columns={columns}
          items={accounts.items}
          idOf={idOf}
          nameOf={idOf}
          onOpen={(account) => setDialog({ kind: "edit", account })}
        />
      </ListState>
      <AccountDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </Page>
  );
}

type OpenAccountDialog =
  | { kind: "new" }
  | { kind: "edit"; account: ManagedAccount }
  | { kind: "password"; account: ManagedAccount }
  | { kind: "secondFactor"; account: ManagedAccount }
  | { kind: "identities"; account: ManagedAccount }
  | { kind: "remove"; account: ManagedAccount };

type AccountsPageProps = { dialog: OpenAccountDialog | null; onClose: () => void };

function AccountDialogs({ dialog, onClose }: AccountsPageProps) {
  switch (dialog?.kind) {
    case "new":
      return <AccountForm account={null} onClose={onClose} />;
    case "edit":
      return <AccountForm account={dialog.account} onClose={onClose} />;
    case "password":
      return <PasswordDialog account={dialog.account} onClose={onClose} />;
    case "secondFactor":
      return <SecondFactorDialog account={dialog.account} onClose={onClose} />;
    case "identities":
      return <IdentitiesDialog account={dialog.account} onClose={onClose} />;
    case "remove":
      return <RemoveAccountDialog account={dialog.account} onClose={onClose} />;
    default:
      return null;
  }
}

type Commands = {
  /** The account that is signed in, which cannot disable or remove itself. */
  own: string;
  open: (dialog: OpenAccountDialog) => void;
  disable: (account: ManagedAccount) => void;
};

function accountColumns(t: Translate, formats: Formats, commands: Commands): GridColumn<ManagedAccount>[] {
  const storageText = ({ storageUsed, storageLimit }: ManagedAccount) =>
    storageLimit > 0
      ? t("admin.usedOf", { used: formats.size(storageUsed), limit: formats.size(storageLimit) })
      : formats.size(storageUsed);
  const roleText = ({ role }: ManagedAccount) => t(role === "admin" ? "admin.roleAdmin" : "admin.roleUser");
  return [
    {
      id: "name",
      title: t("signIn.userName"),
      cell: (account) => (
        <RowName icon={CircleUser} name={account.userName} narrow={joined([roleText(account), storageText(account)])}>
          {account.disabled && <Mark tone="danger">{t("admin.disabled")}</Mark>}
          {!account.hasPassword && <Mark>{t("admin.noPassword")}</Mark>}
          {account.hasSecondFactor && <Mark>{t("security.secondFactor")}</Mark>}
        </RowName>
      ),
    },
    {
      id: "displayName",
      title: t("admin.displayName"),
      isWide: true,
      cell: ({ displayName }) => <bdi>{displayName}</bdi>,
    },
    { id: "role", title: t("admin.role"), width: 128, isWide: true, cell: roleText },
    { id: "storage", title: t("locations.storage"), width: 168, isWide: true, cell: storageText },
    {
      id: "seen",
      title: t("admin.lastSeen"),
      width: 200,
      isWide: true,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? t("admin.never") : formats.dateTime(lastSeenAt)),
    },
    {
      id: "actions",
      title: t("files.actions"),
      width: 72,
      isForButtons: true,
      cell: (account) => <AccountActions t={t} account={account} commands={commands} />,
    },
  ];
}

function AccountActions({ t, account, commands }: { t: Translate; account: ManagedAccount; commands: Commands }) {
  const { own, open, disable } = commands;
  const isOwn = account.userName === own;
  const { data: methods } = useQuery(methodsQuery);
  return (
    <RowMenu name={account.userName}>
      <MenuItem onAction={() => open({ kind: "edit", account })}>{t("admin.edit")}</MenuItem>
      <MenuItem onAction={() => open({ kind: "password", account })}>{t("admin.setPassword")}</MenuItem>
      {account.hasSecondFactor && (
        <MenuItem onAction={() => open({ kind: "secondFactor", account })}>{t("admin.removeSecondFactor")}</MenuItem>
      )}
      {methods?.provider && (
        <MenuItem onAction={() => open({ kind: "identities", account })}>{t("admin.identities")}</MenuItem>
      )}
      {!isOwn && (
        <MenuItem onAction={() => disable(account)}>{t(account.disabled ? "admin.enable" : "admin.disable")}</MenuItem>
      )}
      {!isOwn && <MenuItem onAction={() => open({ kind: "remove", account })}>{t("admin.removeAccount")}</MenuItem>}
    </RowMenu>
  );
}

type AccountFormProps = { account: ManagedAccount | null; onClose: () => void };

/** Makes an account, or changes one. */
export function AccountForm({ account, onClose }: AccountFormProps) {
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
      // Sends only changed fields, since the audit log records every sent one.
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
