import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { showToast } from "~/controls/toast-store";
import { linksQuery } from "~/links";
import { locationsQuery } from "~/locations";
import { useMessages } from "~/messages";
import { folderName } from "./folder-name";
import { MadeField } from "./MadeField";
import { allMadeWith, goneMakers } from "./made-with";
import { type ApiKey, apiKeysQuery } from "./query";

type Props = { apiKey: ApiKey; onClose: () => void };

/** Asks before a key is revoked: programs that use it stop, and it does not come back. */
export function RevokeDialog({ apiKey, onClose }: Props) {
  const { t } = useMessages();
  /** The key with which all that was made is to end: this one, or one of its makers that are gone. */
  const [root, setRoot] = useState<string | null>(null);
  const choices = useChoices(apiKey);
  const revoke = useRevoke(apiKey);
  return (
    <Dialog title={t("keys.revokeTitle", { name: apiKey.name })} role="alertdialog" onClose={onClose}>
      <p>{t("keys.revokeHint")}</p>
      {choices.map(({ id, names }) => (
        <MadeField
          key={id}
          label={t(id === apiKey.id ? "keys.endMade" : "keys.endKin")}
          names={names}
          isChecked={root === id}
          onChange={(isChecked) => setRoot(isChecked ? id : null)}
        />
      ))}
      <DialogButtons>
        <Button autoFocus onPress={onClose}>
          {t("app.cancel")}
        </Button>
        <Button
          look="danger"
          onPress={() => {
            onClose();
            void (root === null ? revoke(apiKey.id, "stays") : revoke(root, "ends"));
          }}
        >
          {t("keys.revoke")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** The keys with which more can end than this one, each with the names of what else that is: the nearest first. */
function useChoices(apiKey: ApiKey) {
  const { data: all = [] } = useQuery(apiKeysQuery);
  const { data: links = [], isError: isUnsure } = useQuery(linksQuery);
  const { data: locations = [] } = useQuery(locationsQuery);
  const others = { keys: all.filter(({ id }) => id !== apiKey.id), links };
  const choices: { id: string; names: string[] }[] = [];
  for (const id of [apiKey.id, ...goneMakers(apiKey, all)]) {
    const made = allMadeWith(id, others);
    const names = [...made.keys.map(({ name }) => name), ...made.links.map(({ path }) => folderName(path, locations))];
    // What was made with a maker holds what was made with the key.
    if (isUnsure || names.length > (choices.at(-1)?.names.length ?? 0)) choices.push({ id, names });
  }
  return choices;
}

/** Revokes the key, or a chain that has it, which shows at once, and tells what became of it. */
function useRevoke({ id, name }: ApiKey): (which: string, made: "stays" | "ends") => Promise<void> {
  const { t } = useMessages();
  const client = useQueryClient();
  return async (which, made) => {
    await client.cancelQueries({ queryKey: keys.apiKeys });
    const before = client.getQueryData(apiKeysQuery.queryKey);
    client.setQueryData(apiKeysQuery.queryKey, (all) => all?.filter((key) => key.id !== id));
    try {
      await answerOf(v2.DELETE("/api/v2/keys/{id}", { params: { path: { id: which }, query: { made } } }));
      showToast({ text: t(made === "ends" ? "keys.revokedWithMade" : "keys.revoked", { name }) });
    } catch (error) {
      if (hasCode(error, "not_found")) return; // As it should be, by whoever was faster.
      client.setQueryData(apiKeysQuery.queryKey, before);
      showToast({ text: t("keys.revokeFailed", { name, reason: t(sentenceKey(error)) }), tone: "danger" });
    } finally {
      await client.invalidateQueries({ queryKey: keys.apiKeys });
      await client.invalidateQueries({ queryKey: keys.links });
    }
  };
}
