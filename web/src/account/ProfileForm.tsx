import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { Problem, sentenceKey } from "~/api/problem";
import { sessionQuery, useAccount } from "~/api/session";
import { Button } from "~/controls/Button";
import { TextField } from "~/controls/TextField";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import styles from "./Form.module.css";

/** The name that other people see. */
export function ProfileForm() {
  const { t } = useMessages();
  const client = useQueryClient();
  const { displayName } = useAccount();
  const [name, setName] = useState(displayName);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const wanted = name.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (wanted === "") return setProblem(t("account.nameEmpty"));
    setBusy(true);
    setProblem(null);
    try {
      const account = await answerOf(v2.PATCH("/api/v2/account", { body: { displayName: wanted } }));
      client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, account });
      client.setQueryData(keys.account, account);
      showToast({ text: t("account.saved") });
    } catch (error) {
      // The server says in one English sentence what it does not take.
      const isPlain = error instanceof Problem && error.code === "malformed";
      setProblem(isPlain ? error.message : t(sentenceKey(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t("account.displayName")}
        hint={t("account.displayNameHint")}
        autoComplete="name"
        maxLength={100}
        value={name}
        onChange={setName}
        problem={problem}
      />
      <Button type="submit" isDisabled={isBusy || wanted === displayName}>
        {t("account.save")}
      </Button>
    </form>
  );
}
