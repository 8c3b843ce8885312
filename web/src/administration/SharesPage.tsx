import { useQueryClient } from "@tanstack/react-query";
import { FolderPlus, HardDrive } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "~/controls/Button";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { EmptyState } from "~/controls/EmptyState";
import { FormDialog } from "~/controls/FormDialog";
import { ListState } from "~/controls/ListState";
import { MenuItem } from "~/controls/Menu";
import { Page } from "~/controls/Page";
import { Mark, RowName } from "~/controls/RowName";
import { type Translate, useMessages } from "~/messages";
import { removeShare } from "./actions";
import { type Share, useShares } from "./queries";
import { RowMenu } from "./RowMenu";
import { ShareForm } from "./ShareForm";

type OpenDialog = { kind: "new" } | { kind: "edit" | "remove"; share: Share };

const idOf = ({ id }: Share) => id;
const nameOf = ({ name }: Share) => name;

function columnsOf(t: Translate, open: (dialog: OpenDialog) => void): GridColumn<Share>[] {
  const membersText = ({ everyone, accounts }: Share) =>
    everyone ? t("admin.everyone") : accounts.length === 0 ? t("admin.nobody") : accounts.join(", ");
  return [
    {
      id: "name",
      title: t("files.name"),
      cell: (share) => (
        <RowName icon={HardDrive} isFolder name={share.name} narrow={membersText(share)}>
          {share.readOnly && <Mark>{t("files.readOnly")}</Mark>}
        </RowName>
      ),
    },
    { id: "folder", title: t("files.folder"), isWide: true, cell: ({ folder }) => <bdi>{folder}</bdi> },
    { id: "members", title: t("admin.members"), isWide: true, cell: (share) => <bdi>{membersText(share)}</bdi> },
    {
      id: "actions",
      title: t("files.actions"),
      width: 72,
      isForButtons: true,
      cell: (share) => (
        <RowMenu name={share.name}>
          <MenuItem onAction={() => open({ kind: "edit", share })}>{t("admin.edit")}</MenuItem>
          <MenuItem onAction={() => open({ kind: "remove", share })}>{t("admin.removeShare")}</MenuItem>
        </RowMenu>
      ),
    },
  ];
}

/** Folders of the server that accounts share. */
export function SharesPage() {
  const { t } = useMessages();
  const client = useQueryClient();
  const shares = useShares();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const columns = useMemo(() => columnsOf(t, setDialog), [t]);
  const close = () => setDialog(null);
  const empty = <EmptyState icon={HardDrive} title={t("admin.noShares")} hint={t("admin.noSharesHint")} />;
  return (
    <Page
      title={t("admin.shares")}
      actions={
        <Button look="primary" icon={FolderPlus} onPress={() => setDialog({ kind: "new" })}>
          {t("admin.newShare")}
        </Button>
      }
    >
      <ListState list={shares} empty={empty}>
        <DataGrid
          label={t("admin.shares")}
          columns={columns}
          items={shares.items}
          idOf={idOf}
          nameOf={nameOf}
          onOpen={(share) => setDialog({ kind: "edit", share })}
        />
      </ListState>
      {dialog?.kind === "new" && <ShareForm share={null} onClose={close} />}
      {dialog?.kind === "edit" && <ShareForm share={dialog.share} onClose={close} />}
      {dialog?.kind === "remove" && (
        <FormDialog
          isDanger
          title={t("admin.removeTitle", { name: dialog.share.name })}
          submit={t("admin.removeShareNow")}
          onSubmit={() => removeShare(client, dialog.share.id)}
          onClose={close}
        >
          <p>{t("admin.removeShareText", { folder: dialog.share.folder })}</p>
        </FormDialog>
      )}
    </Page>
  );
}
