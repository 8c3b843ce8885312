import { allCharacterSets } from "~/content/character-sets";
import { RadioGroup } from "~/controls/RadioGroup";
import { SelectField } from "~/controls/SelectField";
import { TextArea, TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import styles from "./ConnectorForm.module.css";
import { type Draft, usualPort, withAddress } from "./draft";

const CHARACTER_SETS = allCharacterSets();

type Props = { draft: Draft; onChange: (draft: Draft) => void; isNew: boolean };

/** Where a server is, and how to log in to it. */
export function ServerFields({ draft, onChange, isNew }: Props) {
  const { t } = useMessages();
  const set = (changes: Partial<Draft>) => onChange({ ...draft, ...changes });
  return (
    <>
      <div className={styles.line}>
        <TextField
          label={t("connectors.host")}
          isRequired
          placeholder="files.example.org"
          value={draft.host}
          onChange={(host) => onChange(withAddress(draft, { host }))}
        />
        <TextField
          label={t("connectors.port")}
          inputMode="numeric"
          placeholder={String(usualPort(draft))}
          value={draft.port}
          onChange={(port) => onChange(withAddress(draft, { port: port.replace(/\D/g, "") }))}
        />
      </div>
      {draft.kind === "ftp" && (
        <SelectField
          label={t("connectors.tls")}
          value={draft.tls}
          choices={[
            { value: "explicit", text: t("connectors.tlsExplicit") },
            { value: "implicit", text: t("connectors.tlsImplicit") },
            { value: "none", text: t("connectors.tlsNone") },
          ]}
          onChange={(tls) => set({ tls })}
        />
      )}
      <TextField
        label={t("connectors.user")}
        isRequired
        autoComplete="off"
        value={draft.user}
        onChange={(user) => set({ user })}
      />
      {draft.kind === "sftp" && (
        <RadioGroup
          label={t("connectors.login")}
          value={draft.usesPrivateKey ? "key" : "password"}
          choices={[
            { value: "password", text: t("connectors.password") },
            { value: "key", text: t("connectors.privateKey") },
          ]}
          onChange={(login) => set({ usesPrivateKey: login === "key" })}
        />
      )}
      <Login draft={draft} onChange={onChange} isNew={isNew} />
      <SelectField
        label={t("connectors.characterSet")}
        hint={t("connectors.characterSetHint")}
        value={draft.characterSet}
        choices={CHARACTER_SETS}
        onChange={(characterSet) => set({ characterSet })}
      />
    </>
  );
}

function Login({ draft, onChange, isNew }: Props) {
  const { t } = useMessages();
  const keeps = isNew ? {} : { hint: t("connectors.keepSecret") };
  if (!(draft.kind === "sftp" && draft.usesPrivateKey)) {
    return (
      <TextField
        label={t("connectors.password")}
        type="password"
        autoComplete="new-password"
        value={draft.password}
        onChange={(password) => onChange({ ...draft, password })}
        {...keeps}
      />
    );
  }
  return (
    <>
      <TextArea
        label={t("connectors.privateKey")}
        hint={t(isNew ? "connectors.privateKeyHint" : "connectors.keepSecret")}
        value={draft.privateKey}
        onChange={(privateKey) => onChange({ ...draft, privateKey })}
      />
      <TextField
        label={t("connectors.passphrase")}
        hint={t("connectors.passphraseHint")}
        type="password"
        autoComplete="new-password"
        value={draft.passphrase}
        onChange={(passphrase) => onChange({ ...draft, passphrase })}
      />
    </>
  );
}
