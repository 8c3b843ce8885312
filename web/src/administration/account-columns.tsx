import { CircleUser } from "lucide-react";
import type { GridColumn } from "~/controls/DataGrid";
import { MenuItem } from "~/controls/Menu";
import { Mark, RowName } from "~/controls/RowName";
import { type Formats, joined, type Translate } from "~/messages";
import type { OpenAccountDialog } from "./AccountDialogs";
import type { ManagedAccount } from "./queries";
import { RowMenu } from "./RowMenu";

type Commands = {
  /** Who is signed in: nobody shuts the door on themselves. */
  own: string;
  open: (dialog: OpenAccountDialog) => void;
  disable: (account: ManagedAccount) => void;
};

export function accountColumns(t: Translate, formats: Formats, commands: Commands): GridColumn<ManagedAccount>[] {
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
      cell: (account) => <AccountMenu t={t} account={account} commands={commands} />,
    },
  ];
}

function AccountMenu({ t, account, commands }: { t: Translate; account: ManagedAccount; commands: Commands }) {
  const { own, open, disable } = commands;
  const isOwn = account.userName === own;
  return (
    <RowMenu name={account.userName}>
      <MenuItem onAction={() => open({ kind: "edit", account })}>{t("admin.edit")}</MenuItem>
      <MenuItem onAction={() => open({ kind: "password", account })}>{t("admin.setPassword")}</MenuItem>
      {!isOwn && (
        <MenuItem onAction={() => disable(account)}>{t(account.disabled ? "admin.enable" : "admin.disable")}</MenuItem>
      )}
      {!isOwn && <MenuItem onAction={() => open({ kind: "remove", account })}>{t("admin.removeAccount")}</MenuItem>}
    </RowMenu>
  );
}
