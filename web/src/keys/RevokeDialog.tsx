import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { MadeField } from "./MadeField";
import { rootOf } from "./made-with";
import { type ApiKey, apiKeysQuery } from "./query";

type Props = { apiKey: ApiKey; onClose: () => void };

/** Asks before a key is revoked: programs that use it stop, and it does not come back. */
export function RevokeDialog({ apiKey, onClose }: Props) {
  const { t } = useMessages();
  const [isWithMade, setWithMade] = useState(false);
  const { data: all = [] } = useQuery(apiKeysQuery);
  const root = rootOf(apiKey, all);
  const revoke = useRevoke(apiKey);
  return (
    <Dialog title={t("keys.revokeTitle", { name: apiKey.name })} role="alertdialog" onClose={onClose}>
      <p>{t("keys.revokeHint")}</p>
      <MadeField apiKey={apiKey} root={root} all={all} isChecked={isWithMade} onChange={setWithMade} />
      <DialogButtons>
        <Button autoFocus onPress={onClose}>
          {t("app.cancel")}
        </Button>
        <Button
          look="danger"
          onPress={() => {
            onClose();
            void (isWithMade ? revoke(root, "ends") : revoke(apiKey.id, "stays"));
          }}
        >
          {t("keys.revoke")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
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
