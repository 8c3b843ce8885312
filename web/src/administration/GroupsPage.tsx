import { useQueryClient } from "@tanstack/react-query";
import { UserPlus, Users } from "lucide-react";
import { useMemo, useState } from "react";
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
import { type Formats, type Translate, useMessages } from "~/messages";
import { MembersField, QuotaField, RowMenu } from "./fields";
import {
  changeGroup,
  createGroup,
  type Group,
  type GroupForm,
  groupChange,
  removeGroup,
  useGroups,
  wantedGroup,
} from "./groups";
import { bytesOf, quotaOf } from "./quota";

type OpenDialog = { kind: "new" } | { kind: "edit" | "remove"; group: Group };

const idOf = ({ id }: Group) => id;
const nameOf = ({ name }: Group) => name;

function columnsOf(t: Translate, formats: Formats, open: (dialog: OpenDialog) => void): GridColumn<Group>[] {
  const countText = ({ members }: Group) => t("admin.memberCount", { count: members.length });
  const quotaText = ({ defaultQuotaBytes: bytes }: Group) =>
    bytes === null ? "" : bytes === 0 ? t("admin.unlimited") : formats.size(bytes);
  return [
    {
      id: "name",
      title: t("files.name"),
      cell: (group) => (
        <RowName icon={Users} name={group.name} narrow={countText(group)}>
          {group.fromProvider && <Mark>{t("admin.fromProvider")}</Mark>}
        </RowName>
      ),
    },
    { id: "members", title: t("admin.members"), isWide: true, cell: ({ members }) => <bdi>{members.join(", ")}</bdi> },
    {
      id: "description",
      title: t("admin.description"),
      isWide: true,
      cell: ({ description }) => <bdi>{description}</bdi>,
    },
    { id: "quota", title: t("admin.defaultQuota"), width: 144, isWide: true, cell: quotaText },
    {
      id: "actions",
      title: t("files.actions"),
      width: 72,
      isForButtons: true,
      cell: (group) => (
        <RowMenu name={group.name}>
          <MenuItem onAction={() => open({ kind: "edit", group })}>{t("admin.edit")}</MenuItem>
          <MenuItem onAction={() => open({ kind: "remove", group })}>{t("admin.removeGroup")}</MenuItem>
        </RowMenu>
      ),
    },
  ];
}

/** Groups of accounts, which people share with. */
export function GroupsPage() {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const groups = useGroups();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const columns = useMemo(() => columnsOf(t, formats, setDialog), [t, formats]);
  const close = () => setDialog(null);
  const empty = <EmptyState icon={Users} title={t("admin.noGroups")} hint={t("admin.noGroupsHint")} />;
  return (
    <Page
      title={t("admin.groups")}
      actions={
        <Button look="primary" icon={UserPlus} onPress={() => setDialog({ kind: "new" })}>
          {t("admin.newGroup")}
        </Button>
      }
    >
      <ListState list={groups} empty={empty}>
        <DataGrid
          label={t("admin.groups")}
          columns={columns}
          items={groups.items}
          idOf={idOf}
          nameOf={nameOf}
          onOpen={(group) => setDialog({ kind: "edit", group })}
        />
      </ListState>
      {dialog?.kind === "new" && <GroupDialog group={null} onClose={close} />}
      {dialog?.kind === "edit" && <GroupDialog group={dialog.group} onClose={close} />}
      {dialog?.kind === "remove" && (
        <FormDialog
          isDanger
          title={t("admin.removeTitle", { name: dialog.group.name })}
          submit={t("admin.removeGroupNow")}
          onSubmit={() => removeGroup(client, dialog.group.id)}
          onClose={close}
        >
          <p>{t("admin.removeGroupText")}</p>
        </FormDialog>
      )}
    </Page>
  );
}

/** Makes a group, or changes one: its name, who belongs to it, and what new members may store. */
export function GroupDialog({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [name, setName] = useState(group?.name ?? "");
  const [description, setDescription] = useState(group?.description ?? "");
  const [members, setMembers] = useState<ReadonlySet<string>>(() => new Set(group?.members));
  const [fromProvider, setFromProvider] = useState(group?.fromProvider ?? false);
  const [givesQuota, setGivesQuota] = useState((group?.defaultQuotaBytes ?? null) !== null);
  const [quota, setQuota] = useState(quotaOf(group?.defaultQuotaBytes ?? 0));
  const bytes = bytesOf(quota);
  const form: GroupForm = {
    name,
    description,
    fromProvider,
    members: [...members].sort(),
    defaultQuotaBytes: fromProvider && givesQuota ? bytes : null,
  };
  const submit = async () => {
    if (!group) return createGroup(client, wantedGroup(form));
    const change = groupChange(group, form);
    if (Object.keys(change).length > 0) await changeGroup(client, group.id, change);
  };
  return (
    <FormDialog
      size="medium"
      title={group ? t("admin.editGroup", { name: group.name }) : t("admin.newGroup")}
      submit={t(group ? "admin.save" : "admin.createGroup")}
      isDisabled={name.trim() === "" || (fromProvider && givesQuota && bytes === null)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label={t("files.name")} isRequired autoFocus={!group} value={name} onChange={setName} />
      <TextField label={t("admin.description")} value={description} onChange={setDescription} />
      <MembersField members={members} onChange={setMembers} />
      <CheckField
        label={t("admin.fromProviderField")}
        hint={t("admin.fromProviderHint")}
        isChecked={fromProvider}
        onChange={setFromProvider}
      />
      {fromProvider && (
        <CheckField
          label={t("admin.givesQuota")}
          hint={t("admin.givesQuotaHint")}
          isChecked={givesQuota}
          onChange={setGivesQuota}
        />
      )}
      {fromProvider && givesQuota && <QuotaField quota={quota} onChange={setQuota} />}
    </FormDialog>
  );
}
