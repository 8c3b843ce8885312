import { useState } from "react";
import { CopyField } from "~/controls/CopyField";
import { TextArea } from "~/controls/TextArea";
import { useMessages } from "~/messages";
import styles from "./ConnectorForm.module.css";
import { Consent } from "./Consent";
import { type Draft, loginWishOf } from "./draft";
import { authorizeCommand, loginOf } from "./login";
import { providerName } from "./options";
import type { Connector, Provider } from "./query";

type Props = {
  provider: Provider;
  connector: Connector | null;
  draft: Draft;
  onLogin: (parameters: Record<string, string>) => void;
};

/** The login to a drive: at its provider, or a command for a computer that has a browser and a place for what it prints. */
export function LoginField({ provider, connector, draft, onLogin }: Props) {
  const { t } = useMessages();
  const [pasted, setPasted] = useState("");
  const secrets = new Set(["token", ...provider.options.filter(({ isSecret }) => isSecret).map(({ name }) => name)]);
  const login = loginOf(pasted);
  const change = (text: string) => {
    setPasted(text);
    onLogin(loginOf(text) ?? { token: "" });
  };
  const hint = login ? t("connectors.tokenTaken") : t(connector ? "connectors.tokenRenew" : "connectors.tokenHint");
  const name = providerName(provider.name).short;
  const mayHaveClient = provider.options.some(({ name }) => name === "client_id");
  const hasClient = mayHaveClient && (draft.parameters.client_id ?? "") !== "";
  return (
    <div className={styles.login}>
      {mayHaveClient && !hasClient && <p className={styles.soft}>{t("connectors.consentHint", { provider: name })}</p>}
      {hasClient && <Consent provider={name} wish={loginWishOf(connector, draft)} onLogin={onLogin} />}
      <CopyField
        label={t("connectors.authorize")}
        value={authorizeCommand(provider.type, draft.parameters, secrets)}
        copy={t("app.copy")}
        rows={2}
      />
      <TextArea
        label={t("connectors.token")}
        hint={hint}
        value={pasted}
        onChange={change}
        problem={pasted !== "" && !login ? t("connectors.tokenWrong") : null}
      />
    </div>
  );
}
