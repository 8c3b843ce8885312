import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode } from "~/api/problem";
import { Button } from "~/controls/Button";
import { CheckField } from "~/controls/CheckField";
import { DialogButtons } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { folderLink } from "~/model/folder-address";
import styles from "./ConnectorForm.module.css";
import { DriveFields } from "./DriveFields";
import { bodyOf, changesOf, type Draft, trialOf } from "./draft";
import { type Connector, reasonOf } from "./query";
import { ServerFields } from "./ServerFields";

type Props = {
  connector: Connector | null;
  draft: Draft;
  onChange: (draft: Draft) => void;
  outcome: Outcome | null;
  isBusy: boolean;
  /** To the choice of the kind; null where that stands. */
  onBack: (() => void) | null;
  onCancel: () => void;
  onStart: (aim: Aim) => void;
};

/** Asks for what is needed to reach a server or drive. */
export function ConnectorForm(props: Props) {
  const { connector, draft, onChange, outcome, isBusy, onBack, onCancel, onStart } = props;
  const { t } = useMessages();
  const set = (changes: Partial<Draft>) => onChange({ ...draft, ...changes });
  const refusal = outcome && !outcome.works ? outcome : null;
  const start = (aim: Aim) => {
    if (!isBusy) onStart(aim);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start("store");
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t("connectors.name")}
        hint={t("connectors.nameHint")}
        autoFocus
        isRequired
        value={draft.name}
        onChange={(name) => set({ name })}
        problem={refusal?.field === "name" ? refusal.text : null}
      />
      {draft.kind === "drive" ? (
        <DriveFields connector={connector} draft={draft} onChange={onChange} />
      ) : (
        <ServerFields draft={draft} onChange={onChange} isNew={connector === null} />
      )}
      <TextField
        label={t("connectors.root")}
        hint={t("connectors.rootHint")}
        value={draft.root}
        onChange={(root) => set({ root })}
      />
      <CheckField
        label={t("connectors.onlyRead")}
        isChecked={draft.readOnly}
        onChange={(readOnly) => set({ readOnly })}
      />
      <div className={styles.live} role="alert">
        {refusal?.field === "form" && <p className={styles.outcome}>{refusal.text}</p>}
      </div>
      <div className={styles.live} role="status">
        {outcome?.works && (
          <p className={styles.outcome} data-works>
            {t("connectors.itWorks")}
          </p>
        )}
      </div>
      <DialogButtons>
        <span className={styles.grow}>
          {/* A button that cannot be pressed would lose the focus to the page behind the dialog. */}
          <Button onPress={() => start("test")}>{t("connectors.test")}</Button>
        </span>
        {onBack && <Button onPress={onBack}>{t("connectors.back")}</Button>}
        {!onBack && <Button onPress={onCancel}>{t("app.cancel")}</Button>}
        <Button type="submit" look="primary">
          {t(connector ? "connectors.save" : "connectors.connect")}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Only to see whether it works, or to keep it where it does. */
export type Aim = "test" | "store";
export type Outcome = { works: true } | { works: false; text: string; field: "name" | "form" };

/** Tries what is typed, asks for the key of an SFTP server that nobody confirmed yet, and stores it. */
export function useConnecting(connector: Connector | null, owner: string | null, onStored: () => void) {
  const { t } = useMessages();
  const client = useQueryClient();
  const router = useRouter();
  const [shownKey, setShownKey] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [aim, setAim] = useState<Aim>("test");
  const [isBusy, setBusy] = useState(false);

  /** False where the key has to be confirmed first. */
  const tryOut = async (draft: Draft): Promise<boolean> => {
    const body = trialOf(connector, draft);
    const trial = await answerOf(v2.POST("/api/v2/connectors/test", { body }));
    setShownKey(trial.hostKey);
    return trial.hostKey === null;
  };
  const add = (draft: Draft) =>
    owner === null
      ? answerOf(v2.POST("/api/v2/connectors", { body: bodyOf(draft) }))
      : answerOf(v2.POST("/api/v2/admin/connectors", { body: { ...bodyOf(draft), userName: owner } }));
  const store = async (draft: Draft) => {
    const stored = connector
      ? await answerOf(
          v2.PATCH("/api/v2/connectors/{id}", {
            params: { path: { id: connector.id } },
            body: changesOf(connector, draft),
          }),
        )
      : await add(draft);
    void client.invalidateQueries({ queryKey: owner === null ? keys.connectors : keys.everyConnector });
    void client.invalidateQueries({ queryKey: keys.locations });
    const open = () => void router.navigate(folderLink(`__conn_${stored.id}`));
    const text = t(connector ? "connectors.changed" : "connectors.added", { name: stored.name });
    // Another account's stands among the locations of that one alone.
    showToast(owner === null ? { text, action: { text: t("connectors.open"), run: open } } : { text });
    onStored();
  };
  const work = async (draft: Draft, wanted: Aim) => {
    setBusy(true);
    setOutcome(null);
    try {
      // The server tests the stored settings, but an unconfirmed key has to be shown first.
      const lacksKey = draft.kind === "sftp" && draft.hostKey === "";
      if (wanted === "test" || lacksKey) {
        if (!(await tryOut(draft))) return;
        setOutcome({ works: true });
      }
      if (wanted === "store") await store(draft);
    } catch (error) {
      const isTaken = hasCode(error, "name_taken");
      const text = isTaken ? t("connectors.nameTaken", { name: draft.name }) : reasonOf(error, t);
      setOutcome({ works: false, text, field: isTaken ? "name" : "form" });
    } finally {
      setBusy(false);
    }
  };
  const start = (draft: Draft, wanted: Aim) => {
    setAim(wanted);
    if (wanted === "store" && draft.name.trim() === "") {
      return setOutcome({ works: false, text: t("connectors.nameEmpty"), field: "name" });
    }
    return work(draft, wanted);
  };
  const confirm = (draft: Draft) => {
    setShownKey(null);
    return work(draft, aim);
  };
  const forget = () => {
    setShownKey(null);
    setOutcome(null);
  };
  return { shownKey, outcome, isBusy, start, confirm, forget };
}
