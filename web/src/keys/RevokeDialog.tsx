import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keys } from "~/api/keys";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { CheckField } from "~/controls/CheckField";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { showToast } from "~/controls/toast-store";
import { linksQuery } from "~/links";
import { locationsQuery } from "~/locations";
import { joined, useMessages } from "~/messages";
import { folderName } from "./folder-name";
import { allMadeWith, isNothing, type Made } from "./made-with";
import { type ApiKey, apiKeysQuery } from "./query";
import { endMadeWith, revokeKey } from "./revoke";

type Props = { apiKey: ApiKey; onClose: () => void };

/** Asks before a key is revoked: programs that use it stop, and it does not come back. */
export function RevokeDialog({ apiKey, onClose }: Props) {
  const { t } = useMessages();
  const made = useMade(apiKey);
  const { data: locations = [] } = useQuery(locationsQuery);
  const [isWithMade, setWithMade] = useState(false);
  const revoke = useRevoke(apiKey);
  return (
    <Dialog title={t("keys.revokeTitle", { name: apiKey.name })} role="alertdialog" onClose={onClose}>
      <p>{t("keys.revokeHint")}</p>
      {!isNothing(made) && (
        <CheckField
          label={t("keys.endMade")}
          hint={joined([
            ...made.keys.map(({ name }) => name),
            ...made.links.map(({ path }) => folderName(path, locations)),
          ])}
          isChecked={isWithMade}
          onChange={setWithMade}
        />
      )}
      <DialogButtons>
        <Button autoFocus onPress={onClose}>
          {t("app.cancel")}
        </Button>
        <Button
          look="danger"
          onPress={() => {
            onClose();
            void revoke(isWithMade);
          }}
        >
          {t("keys.revoke")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function useMade(apiKey: ApiKey): Made {
  const { data: all = [] } = useQuery(apiKeysQuery);
  const { data: links = [] } = useQuery(linksQuery);
  return allMadeWith(apiKey.id, { keys: all, links });
}

async function lookAll(client: QueryClient): Promise<Made> {
  const [all, links] = await Promise.all([
    client.fetchQuery({ ...apiKeysQuery, staleTime: 0 }),
    client.fetchQuery({ ...linksQuery, staleTime: 0 }),
  ]);
  return { keys: all, links };
}

/** Revokes the key, which shows at once, and tells what became of it. */
function useRevoke({ id, name }: ApiKey): (isWithMade: boolean) => Promise<void> {
  const { t } = useMessages();
  const client = useQueryClient();
  return async (isWithMade) => {
    await client.cancelQueries({ queryKey: keys.apiKeys });
    const before = client.getQueryData(apiKeysQuery.queryKey);
    client.setQueryData(apiKeysQuery.queryKey, (all) => all?.filter((key) => key.id !== id));
    let isRevoked = false;
    try {
      await revokeKey(id);
      isRevoked = true;
      if (isWithMade) await endMadeWith(id, () => lookAll(client));
      showToast({ text: t(isWithMade ? "keys.revokedWithMade" : "keys.revoked", { name }) });
    } catch (error) {
      if (!isRevoked) client.setQueryData(apiKeysQuery.queryKey, before);
      const text = isRevoked ? "keys.endMadeFailed" : "keys.revokeFailed";
      showToast({ text: t(text, { name, reason: t(sentenceKey(error)) }), tone: "danger" });
    } finally {
      await client.invalidateQueries({ queryKey: keys.apiKeys });
      await client.invalidateQueries({ queryKey: keys.links });
    }
  };
}
