import { LogIn } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { Button } from "~/controls/Button";
import { CopyField } from "~/controls/CopyField";
import { TextArea } from "~/controls/TextField";
import { useMessages } from "~/messages";
import { SERVER } from "~/platform/base";
import styles from "./ConnectorForm.module.css";
import { RETURN_PATH, stateOf, waitFor } from "./consent";
import { type Draft, type LoginWish, loginWishOf } from "./draft";
import { authorizeCommand, loginOf } from "./login";
import { providerName } from "./options";
import { type Connector, type Provider, reasonOf } from "./query";

type LoginFieldProps = {
  provider: Provider;
  connector: Connector | null;
  draft: Draft;
  onLogin: (parameters: Record<string, string>) => void;
};

/** The login to a drive: at its provider, or a command for a computer that has a browser and a place for what it prints. */
export function LoginField({ provider, connector, draft, onLogin }: LoginFieldProps) {
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

type ConsentProps = {
  /** For people. */
  provider: string;
  wish: LoginWish;
  onLogin: (parameters: Record<string, string>) => void;
};

/** The login to a drive at its provider, for those who have a client of their own there. */
function Consent({ provider, wish, onLogin }: ConsentProps) {
  const { t } = useMessages();
  const { stage, start } = useConsent(wish, provider, onLogin);
  return (
    <>
      <CopyField label={t("connectors.consentRedirect")} value={SERVER + RETURN_PATH} copy={t("app.copy")} />
      <div>
        <Button icon={LogIn} onPress={() => void start()}>
          {t("connectors.consent", { provider })}
        </Button>
      </div>
      <div className={styles.live} role="status">
        {stage.step === "waits" && (
          <p>
            {t("connectors.consentWaits")}{" "}
            <a href={stage.address} target="_blank" rel="noopener noreferrer">
              {t("connectors.consentOpen")}
            </a>
          </p>
        )}
        {stage.step === "done" && (
          <p className={styles.outcome} data-works>
            {t("connectors.consentDone")}
          </p>
        )}
      </div>
      <div className={styles.live} role="alert">
        {stage.step === "failed" && <p className={styles.outcome}>{stage.text}</p>}
      </div>
    </>
  );
}

/** `address` is the provider's page, for browsers that opened no window. */
type Stage = { step: "rest" | "done" } | { step: "waits"; address: string } | { step: "failed"; text: string };
type Parameters = Record<string, string>;

/** A login at the provider's own page, in a window of its own. */
function useConsent(wish: LoginWish, provider: string, onLogin: (parameters: Parameters) => void) {
  const { t } = useMessages();
  const [stage, setStage] = useState<Stage>({ step: "rest" });
  const waiting = useRef<AbortController | null>(null);
  // Keeps the text typed meanwhile.
  const latest = useRef(onLogin);
  latest.current = onLogin;
  useEffect(() => () => waiting.current?.abort(), []);

  const ask = async (opened: Window | null, signal: AbortSignal) => {
    const { address, login } = await answerOf(v2.POST("/api/v2/connectors/authorize", { body: wish }));
    if (address === null || login === null) return t("connectors.consentNone", { provider });
    if (opened) opened.location.href = address;
    setStage({ step: "waits", address });
    const { state, code } = await waitFor(stateOf(address), signal);
    if (code === "") return t("connectors.consentRefused");
    const ended = await answerOf(v2.POST("/api/v2/connectors/authorize", { body: { login, state, code } }));
    latest.current((ended.parameters ?? {}) as Parameters);
    return null;
  };
  const start = async () => {
    waiting.current?.abort();
    const control = new AbortController();
    waiting.current = control;
    // By the press itself: browsers stop windows that open later. Where it leads then must not reach back.
    const opened = window.open("about:blank", "_blank");
    if (opened) opened.opener = null;
    let text: string | null;
    try {
      text = await ask(opened, control.signal);
    } catch (error) {
      text = reasonOf(error, t);
    }
    if (control.signal.aborted) return;
    if (text !== null) opened?.close();
    setStage(text === null ? { step: "done" } : { step: "failed", text });
  };
  return { stage, start };
}
