import { useState } from "react";
import { CopyField } from "~/controls/CopyField";
import { TextArea } from "~/controls/TextArea";
import { useMessages } from "~/messages";
import styles from "./ConnectorForm.module.css";
import { authorizeCommand, loginOf } from "./login";
import type { Provider } from "./query";

type Props = {
  provider: Provider;
  parameters: Record<string, string>;
  onLogin: (parameters: Record<string, string>) => void;
  isNew: boolean;
};

/** The login to a drive: a command for a computer that has a browser, and a place for what it prints. */
export function LoginField({ provider, parameters, onLogin, isNew }: Props) {
  const { t } = useMessages();
  const [pasted, setPasted] = useState("");
  const secrets = new Set(["token", ...provider.options.filter(({ isSecret }) => isSecret).map(({ name }) => name)]);
  const login = loginOf(pasted);
  const change = (text: string) => {
    setPasted(text);
    onLogin(loginOf(text) ?? { token: "" });
  };
  const hint = login ? t("connectors.tokenTaken") : t(isNew ? "connectors.tokenHint" : "connectors.tokenRenew");
  return (
    <div className={styles.login}>
      <CopyField
        label={t("connectors.authorize")}
        value={authorizeCommand(provider.type, parameters, secrets)}
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
