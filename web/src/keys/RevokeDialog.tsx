import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { CheckField } from "~/controls/CheckField";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { showToast } from "~/controls/toast-store";
import { linksQuery } from "~/links";
import { locationsQuery } from "~/locations";
import { joined, useMessages } from "~/messages";
import { folderName } from "./folder-name";
import { allMadeWith, isNothing, rootOf } from "./made-with";
import { type ApiKey, apiKeysQuery } from "./query";

type Props = { apiKey: ApiKey; onClose: () => void };

/** Asks before a key is revoked: programs that use it stop, and it does not come back. */
export function RevokeDialog({ apiKey, onClose }: Props) {
  const { t } = useMessages();
  const [made, setMade] = useState<"stays" | "ends">("stays");
  const { data: all = [] } = useQuery(apiKeysQuery);
  const root = rootOf(apiKey, all);
  const revoke = useRevoke(apiKey);
  return (
    <Dialog title={t("keys.revokeTitle", { name: apiKey.name })} role="alertdialog" onClose={onClose}>
      <p>{t("keys.revokeHint")}</p>
      <MadeField
        apiKey={apiKey}
        root={root}
        isChecked={made === "ends"}
        onChange={(isToo) => setMade(isToo ? "ends" : "stays")}
      />
      <DialogButtons>
        <Button autoFocus onPress={onClose}>
          {t("app.cancel")}
        </Button>
        <Button
          look="danger"
          onPress={() => {
            onClose();
            void revoke(made === "ends" ? root : apiKey.id, made);
          }}
        >
          {t("keys.revoke")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

const MOST_NAMES = 10;

type MadeFieldProps = { apiKey: ApiKey; root: string; isChecked: boolean; onChange: (isChecked: boolean) => void };

/** Whether what else was made with the root is to end too; nothing if that is known to be nothing. */
function MadeField({ apiKey, root, isChecked, onChange }: MadeFieldProps) {
  const { t } = useMessages();
  const { data: all = [] } = useQuery(apiKeysQuery);
  const { data: links, isError } = useQuery(linksQuery);
  const { data: locations = [] } = useQuery(locationsQuery);
  const { id } = apiKey;
  const made = allMadeWith(root, { keys: all, links: links ?? [] });
  const others = made.keys.filter((key) => key.id !== id);
  if (isNothing({ keys: others, links: made.links }) && !isError) return null;
  const label = root === id ? t("keys.endMade") : t("keys.endKin");
  const names = [...others.map(({ name }) => name), ...made.links.map(({ path }) => folderName(path, locations))];
  const shown = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), "…"] : names;
  return <CheckField label={label} hint={joined(shown)} isChecked={isChecked} onChange={onChange} />;
}

/** Revokes the key, which shows at once, and tells what became of it. */
function useRevoke({ id, name }: ApiKey): (root: string, made: "stays" | "ends") => Promise<void> {
  const { t } = useMessages();
  const client = useQueryClient();
  return async (root, made) => {
    await client.cancelQueries({ queryKey: keys.apiKeys });
    const before = client.getQueryData(apiKeysQuery.queryKey);
    client.setQueryData(apiKeysQuery.queryKey, (all) => all?.filter((key) => key.id !== id));
    try {
      await answerOf(v2.DELETE("/api/v2/keys/{id}", { params: { path: { id: root }, query: { made } } }));
      showToast({ text: t(made === "ends" ? "keys.revokedWithMade" : "keys.revoked", { name }) });
    } catch (error) {
      if (hasCode(error, "not_found") && made === "stays") return; // As it should be, by whoever was faster.
      client.setQueryData(apiKeysQuery.queryKey, before);
      showToast({ text: t("keys.revokeFailed", { name, reason: t(sentenceKey(error)) }), tone: "danger" });
    } finally {
      await client.invalidateQueries({ queryKey: keys.apiKeys });
      await client.invalidateQueries({ queryKey: keys.links });
    }
  };
}
