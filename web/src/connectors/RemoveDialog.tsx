import { useQueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, sentenceKey } from "~/api/problem";
import { FormDialog } from "~/controls/Dialog";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { type Connector, connectorsQuery } from "./query";

/** Asks before a connector is removed: what it knows of the login does not come back. */
export function RemoveDialog({ connector, onClose }: { connector: Connector; onClose: () => void }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const { id, name } = connector;
  const remove = async () => {
    onClose();
    await client.cancelQueries({ queryKey: keys.connectors });
    const before = client.getQueryData(connectorsQuery.queryKey);
    client.setQueryData(connectorsQuery.queryKey, (all) => all?.filter((one) => one.id !== id));
    try {
      await answerOf(v2.DELETE("/api/v2/connectors/{id}", { params: { path: { id } } }));
      showToast({ text: t("connectors.removed", { name }) });
    } catch (error) {
      if (hasCode(error, "not_found")) return; // Somebody was faster; it is as it should be.
      client.setQueryData(connectorsQuery.queryKey, before);
      showToast({ text: t("connectors.removeFailed", { name, reason: t(sentenceKey(error)) }), tone: "danger" });
    } finally {
      await client.invalidateQueries({ queryKey: keys.connectors });
      await client.invalidateQueries({ queryKey: keys.locations });
    }
  };
  return (
    <FormDialog
      title={t("connectors.removeTitle", { name })}
      submit={t("connectors.remove")}
      isDanger
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t("connectors.removeHint")}</p>
    </FormDialog>
  );
}
