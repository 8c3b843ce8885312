import { useEffect, useRef, useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { useMessages } from "~/messages";
import { stateOf, waitFor } from "./consent";
import type { LoginWish } from "./draft";
import { reasonOf } from "./reason";

/** `address` is the provider's page, for browsers that opened no window. */
export type Stage = { step: "rest" | "done" } | { step: "waits"; address: string } | { step: "failed"; text: string };
type Parameters = Record<string, string>;

/** A login at the provider's own page, in a window of its own. */
export function useConsent(wish: LoginWish, provider: string, onLogin: (parameters: Parameters) => void) {
  const { t } = useMessages();
  const [stage, setStage] = useState<Stage>({ step: "rest" });
  const waiting = useRef<AbortController | null>(null);
  // What is typed meanwhile stays.
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
