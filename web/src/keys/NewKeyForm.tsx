import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { isPlain, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { DialogButtons } from "~/controls/Dialog";
import { RadioGroup } from "~/controls/RadioGroup";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { ExpiryField } from "./ExpiryField";
import { type Expiry, expiresAt, isDayToCome } from "./expiry";
import { FolderField } from "./FolderField";
import styles from "./NewKeyForm.module.css";
import type { ApiKey, CreatedKey } from "./query";

type Props = { onCancel: () => void; onMade: (made: CreatedKey) => void };
type Refusal = { field: "name" | "day" | "form"; text: string };

/** Asks what a key is for, what it reaches and how long. */
export function NewKeyForm({ onCancel, onMade }: Props) {
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
      setRefusal({ field: "form", text: isPlain(error) ? error.message : t(sentenceKey(error)) });
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
