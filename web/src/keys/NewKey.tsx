import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronDown, Folder } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Button as PlainButton } from "react-aria-components/Button";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { problemText } from "~/api/problem";
import { Button } from "~/controls/Button";
import { CopyField } from "~/controls/CopyField";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { RadioGroup } from "~/controls/RadioGroup";
import { SelectField } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { FolderTree } from "~/folder-tree/FolderTree";
import { useMessages } from "~/messages";
import { locationsQuery, partsOf } from "~/model/locations";
import { SERVER } from "~/platform/base";
import styles from "./NewKey.module.css";
import type { ApiKey, CreatedKey } from "./query";
import { curlLine, EXPIRIES, type Expiry, expiresAt, isDayToCome } from "./query";

/**
 * Makes a key, then shows its secret for the only time: nothing but a button closes the dialog then, since a click
 * that misses would lose it.
 */
export function NewKey({ onClose }: { onClose: () => void }) {
  const { t } = useMessages();
  const [made, setMade] = useState<CreatedKey | null>(null);
  const title = made ? t("keys.madeTitle", { name: made.key.name }) : t("keys.newTitle");
  return (
    <Dialog title={title} size="medium" onClose={made ? () => {} : onClose}>
      {made ? <Secret made={made} onDone={onClose} /> : <NewKeyForm onCancel={onClose} onMade={setMade} />}
    </Dialog>
  );
}

type NewKeyFormProps = { onCancel: () => void; onMade: (made: CreatedKey) => void };
type Refusal = { field: "name" | "day" | "form"; text: string };

/** Asks what a key is for, what it reaches and how long. */
function NewKeyForm({ onCancel, onMade }: NewKeyFormProps) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [folder, setFolder] = useState("");
  const [access, setAccess] = useState<ApiKey["access"]>("full");
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [day, setDay] = useState("");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const refused = (field: Refusal["field"]) => (refusal?.field === field ? refusal.text : null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === "") return setRefusal({ field: "name", text: t("keys.nameEmpty") });
    if (expiry === "date" && !isDayToCome(day)) return setRefusal({ field: "day", text: t("keys.dayPast") });
    setRefusal(null);
    setBusy(true);
    try {
      const body = { name: name.trim(), folder: folder || null, access, expiresAt: expiresAt(expiry, day) };
      const made = await answerOf(v2.POST("/api/v2/keys", { body }));
      void client.invalidateQueries({ queryKey: keys.apiKeys });
      onMade(made);
    } catch (error) {
      setRefusal({ field: "form", text: problemText(t, error) });
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t("keys.name")}
        hint={t("keys.nameHint")}
        autoFocus
        isRequired
        maxLength={100}
        value={name}
        onChange={setName}
        problem={refused("name")}
      />
      <FolderField folder={folder} onChange={setFolder} />
      <RadioGroup
        label={t("keys.access")}
        value={access}
        choices={[
          { value: "full", text: t("keys.full"), hint: t("keys.fullHint") },
          { value: "read", text: t("keys.read"), hint: t("keys.readHint") },
        ]}
        onChange={setAccess}
      />
      <ExpiryField expiry={expiry} onChange={setExpiry} day={day} onDay={setDay} problem={refused("day")} />
      <p className={styles.problem} role="alert">
        {refused("form")}
      </p>
      <DialogButtons>
        <Button onPress={onCancel}>{t("app.cancel")}</Button>
        <Button type="submit" look="primary">
          {t("keys.create")}
        </Button>
      </DialogButtons>
    </form>
  );
}

type ExpiryFieldProps = {
  expiry: Expiry;
  onChange: (expiry: Expiry) => void;
  day: string;
  onDay: (day: string) => void;
  problem: string | null;
};

/** How long a key is good for, with a day of one's own where that is wanted. */
function ExpiryField({ expiry, onChange, day, onDay, problem }: ExpiryFieldProps) {
  const { t } = useMessages();
  const text = (one: Expiry) => {
    if (one === "never") return t("keys.never");
    return one === "date" ? t("keys.onDay") : t("keys.inDays", { count: Number(one) });
  };
  const choices = EXPIRIES.map((value) => ({ value, text: text(value) }));
  return (
    <div className={styles.ends}>
      <SelectField label={t("keys.ends")} value={expiry} choices={choices} onChange={onChange} />
      {expiry === "date" && (
        <TextField label={t("keys.lastDay")} type="date" value={day} onChange={onDay} problem={problem} />
      )}
    </div>
  );
}

type FolderFieldProps = { folder: string; onChange: (folder: string) => void };

/** The folder that a key is limited to, chosen in a tree; the root is no limit. */
function FolderField({ folder, onChange }: FolderFieldProps) {
  const { t } = useMessages();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { data: locations = [] } = useQuery(locationsQuery);
  return (
    <div className={styles.field}>
      <span id={`${id}-label`} className={styles.label}>
        {t("keys.folder")}
      </span>
      <PlainButton
        className={styles.button ?? ""}
        aria-labelledby={`${id}-label ${id}-value`}
        aria-describedby={`${id}-hint`}
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        <Folder size={16} aria-hidden />
        <bdi id={`${id}-value`} className={styles.value}>
          {folder === "" ? t("keys.everything") : partsOf(folder, locations).join("/")}
        </bdi>
        <ChevronDown size={16} aria-hidden />
      </PlainButton>
      {isOpen && <FolderTree chosen={folder} onChoose={onChange} forbids={() => false} />}
      <p id={`${id}-hint`} className={styles.hint}>
        {t("keys.folderHint")}
      </p>
    </div>
  );
}

/** The secret of a new key, to be taken now, and a command that works with it. */
function Secret({ made, onDone }: { made: CreatedKey; onDone: () => void }) {
  const { t } = useMessages();
  const line = curlLine(SERVER, made.secret);
  return (
    <>
      <p className={styles.warning}>{t("keys.secretHint")}</p>
      <CopyField label={t("keys.secret")} value={made.secret} copy={t("app.copy")} />
      <CopyField label={t("keys.tryIt")} value={line} copy={t("keys.takeLine")} iconOnly rows={3} />
      <DialogButtons>
        <Button look="primary" autoFocus onPress={onDone}>
          {t("keys.done")}
        </Button>
      </DialogButtons>
    </>
  );
}
