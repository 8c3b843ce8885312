import { useQueryClient } from "@tanstack/react-query";
import { UserPlus, Users } from "lucide-react";
import { useMemo, useState } from "react";
import { sentenceKey } from "~/api/problem";
import { useAccount } from "~/api/session";
import { Button } from "~/controls/Button";
import { DataGrid } from "~/controls/DataGrid";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { Page } from "~/controls/Page";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { AccountDialogs, type OpenAccountDialog } from "./AccountDialogs";
import { accountColumns } from "./account-columns";
import { changeAccount } from "./actions";
import { type ManagedAccount, useAccounts } from "./queries";

const idOf = ({ userName }: ManagedAccount) => userName;

/** Who may sign in, as what, and how much each may store. */
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
