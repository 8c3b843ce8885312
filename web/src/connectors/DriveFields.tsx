import { useQuery } from "@tanstack/react-query";
import { useMessages } from "~/messages";
import styles from "./ConnectorForm.module.css";
import type { Draft } from "./draft";
import { LoginField } from "./LoginField";
import { OptionField } from "./OptionField";
import { optionsOf, providerName } from "./options";
import { type Connector, providersQuery } from "./query";

type Props = { connector: Connector | null; draft: Draft; onChange: (draft: Draft) => void };

/** What a drive's provider wants to know, by the schema that the server tells. */
export function DriveFields({ connector, draft, onChange }: Props) {
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
