import { useQueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { type ApiKey, apiKeysQuery } from "./query";

/** Asks before a key is revoked: programs that use it stop, and it does not come back. */
export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const revoke = async () => {
    onClose();
    await client.cancelQueries({ queryKey: keys.apiKeys });
    const before = client.getQueryData(apiKeysQuery.queryKey);
    client.setQueryData(apiKeysQuery.queryKey, (all) => all?.filter(({ id }) => id !== apiKey.id));
    try {
      await answerOf(v2.DELETE("/api/v2/keys/{id}", { params: { path: { id: apiKey.id } } }));
      showToast({ text: t("keys.revoked", { name: apiKey.name }) });
    } catch (error) {
      if (hasCode(error, "not_found")) return; // Somebody was faster; it is as it should be.
      client.setQueryData(apiKeysQuery.queryKey, before);
      showToast({ text: t("keys.revokeFailed", { name: apiKey.name, reason: t(sentenceKey(error)) }), tone: "danger" });
    } finally {
      await client.invalidateQueries({ queryKey: keys.apiKeys });
    }
  };
  return (
    <Dialog title={t("keys.revokeTitle", { name: apiKey.name })} role="alertdialog" onClose={onClose}>
      <p>{t("keys.revokeHint")}</p>
      <DialogButtons>
        <Button autoFocus onPress={onClose}>
          {t("app.cancel")}
        </Button>
        <Button look="danger" onPress={() => void revoke()}>
          {t("keys.revoke")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
