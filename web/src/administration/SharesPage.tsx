import { useQueryClient } from "@tanstack/react-query";
import { FolderPlus, HardDrive } from "lucide-react";
import { useMemo, useState } from "react";
import { hasCode, Problem } from "~/api/problem";
import { Button } from "~/controls/Button";
import { CheckField } from "~/controls/CheckField";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { FormDialog } from "~/controls/Dialog";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { MenuItem } from "~/controls/Menu";
import { Page } from "~/controls/Page";
import { Mark, RowName } from "~/controls/RowName";
import { TextField } from "~/controls/TextField";
import { type Translate, useMessages } from "~/messages";
import { nameOf as lastPart } from "~/model/path";
import { MembersField, RowMenu } from "./fields";
import styles from "./fields.module.css";
import { changeShare, createShare, removeShare, type Share, useShares } from "./queries";
import { ServerFolderTree } from "./ServerFolderTree";

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

/** Makes a share, or changes one: which folder, how it is called, and who sees it. */
export function ShareForm({ share, onClose }: { share: Share | null; onClose: () => void }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [folder, setFolder] = useState(share?.folder ?? "");
  const [name, setName] = useState(share?.name ?? "");
  const [description, setDescription] = useState(share?.description ?? "");
  const [readOnly, setReadOnly] = useState(share?.readOnly ?? false);
  const [everyone, setEveryone] = useState(share?.everyone ?? false);
  const [members, setMembers] = useState<ReadonlySet<string>>(() => new Set(share?.accounts));
  const choose = (path: string) => {
    // A share is called as its folder unless it has a name already.
    if (name === "" || name === lastPart(folder)) setName(lastPart(path));
    setFolder(path);
  };
  const submit = async () => {
    const what = { name, description, readOnly, everyone, ...(!everyone && { accounts: [...members] }) };
    try {
      if (!share) await createShare(client, { ...what, folder });
      // A folder that stays is not sent: it may lie outside of the roots of today.
      else await changeShare(client, share.id, { ...what, ...(folder !== share.folder && { folder }) });
    } catch (error) {
      // The server's sentence says which folder, and what is wrong with it.
      throw hasCode(error, "not_found") && error instanceof Error ? new Problem("malformed", error.message) : error;
    }
  };
  return (
    <FormDialog
      size="medium"
      title={share ? t("admin.editShare", { name: share.name }) : t("admin.newShare")}
      submit={t(share ? "admin.save" : "admin.createShare")}
      isDisabled={name === "" || folder === "" || (!everyone && members.size === 0)}
      onSubmit={submit}
      onClose={onClose}
    >
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{t("files.folder")}</legend>
        <ServerFolderTree chosen={folder} onChoose={choose} />
        {folder !== "" && (
          <p className={styles.hint}>
            <bdi>{folder}</bdi>
          </p>
        )}
      </fieldset>
      <TextField label={t("files.name")} isRequired value={name} onChange={setName} />
      <TextField label={t("admin.description")} value={description} onChange={setDescription} />
      <CheckField
        label={t("files.readOnly")}
        hint={t("admin.readOnlyHint")}
        isChecked={readOnly}
        onChange={setReadOnly}
      />
      <CheckField label={t("admin.everyoneSees")} isChecked={everyone} onChange={setEveryone} />
      {!everyone && <MembersField members={members} onChange={setMembers} />}
    </FormDialog>
  );
}
