import { useQuery } from "@tanstack/react-query";
import { CheckField } from "~/controls/CheckField";
import { ComboBox } from "~/controls/SelectField";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import styles from "./ConnectorForm.module.css";
import type { Draft } from "./draft";
import { LoginField } from "./LoginField";
import { firstLine, isSwitch, labelOf, optionsOf, proposalsOf, providerName } from "./options";
import { type Connector, type Option, providersQuery } from "./query";

type DriveFieldsProps = { connector: Connector | null; draft: Draft; onChange: (draft: Draft) => void };

/** The fields of a drive's provider, by the server's schema. */
export function DriveFields({ connector, draft, onChange }: DriveFieldsProps) {
  const { t } = useMessages();
  const { data: providers } = useQuery(providersQuery);
  const provider = providers?.find(({ type }) => type === draft.provider);
  if (!provider) return null;
  const { main, more } = optionsOf(provider, draft.parameters);
  const setAll = (parameters: Record<string, string>) =>
    onChange({ ...draft, parameters: { ...draft.parameters, ...parameters } });
  const fields = (options: typeof main) =>
    options.map((option) => (
      <OptionField
        key={option.name}
        option={option}
        parameters={draft.parameters}
        isNew={connector === null}
        onChange={(value) => setAll({ [option.name]: value })}
      />
    ));
  return (
    <>
      <p className={styles.soft}>{t("connectors.driveHint", { provider: providerName(provider.name).short })}</p>
      {provider.usesOAuth && <LoginField provider={provider} connector={connector} draft={draft} onLogin={setAll} />}
      {/* The providers' own words are English. */}
      <div className={styles.fields} lang="en">
        {fields(main)}
      </div>
      {more.length > 0 && (
        <details className={styles.more}>
          <summary>{t("connectors.more")}</summary>
          <div className={styles.fields} lang="en">
            {fields(more)}
          </div>
        </details>
      )}
    </>
  );
}

type OptionFieldProps = {
  option: Option;
  parameters: Record<string, string>;
  isNew: boolean;
  onChange: (value: string) => void;
};

/** One parameter of a provider, by what its schema says of it. */
function OptionField({ option, parameters, isNew, onChange }: OptionFieldProps) {
  const { t } = useMessages();
  const label = labelOf(option.name);
  const hint = firstLine(option.help);
  const value = parameters[option.name] ?? "";
  if (isSwitch(option)) {
    const isChecked = (value || option.standard) === "true";
    return <CheckField label={label} hint={hint} isChecked={isChecked} onChange={(on) => onChange(String(on))} />;
  }
  const common = { label, value, onChange, isRequired: option.isRequired };
  const told = { hint, ...(option.standard !== "" && { placeholder: option.standard }) };
  const proposals = proposalsOf(option, parameters);
  if (option.isSecret) {
    const kept = isNew ? hint : `${hint} ${t("connectors.keepSecret")}`;
    return <TextField {...common} hint={kept} type="password" autoComplete="new-password" />;
  }
  if (proposals.length > 0) return <ComboBox {...common} {...told} proposals={proposals} />;
  return <TextField {...common} {...told} autoComplete="off" />;
}
