import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { hasCode, Problem } from "~/api/problem";
import { CheckField } from "~/controls/CheckField";
import { FormDialog } from "~/controls/FormDialog";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { changeShare, createShare } from "./actions";
import styles from "./fields.module.css";
import { MembersField } from "./MembersField";
import type { Share } from "./queries";
import { ServerFolderTree } from "./ServerFolderTree";

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

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
