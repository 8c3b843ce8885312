import type { FormEvent } from "react";
import { Button } from "~/controls/Button";
import { CheckField } from "~/controls/CheckField";
import { DialogButtons } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import styles from "./ConnectorForm.module.css";
import { DriveFields } from "./DriveFields";
import type { Draft } from "./draft";
import type { Connector } from "./query";
import { ServerFields } from "./ServerFields";
import type { Aim, Outcome } from "./useConnecting";

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
