import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode } from "~/api/problem";
import { showToast } from "~/controls/toast-store";
import { folderLink } from "~/locations";
import { useMessages } from "~/messages";
import { bodyOf, changesOf, type Draft, trialOf } from "./draft";
import type { Connector } from "./query";
import { reasonOf } from "./reason";

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
      // What is stored is tried by the server, but a key that is not confirmed has to be shown first.
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
