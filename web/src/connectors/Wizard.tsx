import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import { ConnectorForm } from "./ConnectorForm";
import { type Draft, draftOf } from "./draft";
import { HostKeyStep } from "./HostKeyStep";
import { KindStep } from "./KindStep";
import { providerName } from "./options";
import { type Connector, providersQuery } from "./query";
import { useConnecting } from "./useConnecting";

type Props = {
  /** The one that is changed; null for a new one. */
  connector: Connector | null;
  /** The account that gets it; null for one's own. */
  owner?: string | null;
  onClose: () => void;
};

/** Step by step: what it is, what is known of it, whether the server is the right one. */
export function Wizard({ connector, owner = null, onClose }: Props) {
  const [draft, setDraft] = useState<Draft | null>(() => connector && draftOf(connector));
  const connecting = useConnecting(connector, owner, onClose);
  const { shownKey, outcome, isBusy, forget, start, confirm } = connecting;
  const title = useTitle(connector, draft);
  return (
    <Dialog title={title} size="medium" onClose={onClose}>
      {draft === null && <KindStep onChoose={setDraft} onCancel={onClose} />}
      {draft !== null && shownKey !== null && (
        <HostKeyStep
          draft={draft}
          hostKey={shownKey}
          before={connector?.server?.hostKey ?? ""}
          onRefuse={forget}
          onConfirm={() => {
            const confirmed = { ...draft, hostKey: shownKey };
            setDraft(confirmed);
            void confirm(confirmed);
          }}
        />
      )}
      {draft !== null && shownKey === null && (
        <ConnectorForm
          connector={connector}
          draft={draft}
          onChange={(changed) => {
            forget();
            setDraft(changed);
          }}
          outcome={outcome}
          isBusy={isBusy}
          onBack={
            connector
              ? null
              : () => {
                  forget();
                  setDraft(null);
                }
          }
          onCancel={onClose}
          onStart={(aim) => void start(draft, aim)}
        />
      )}
    </Dialog>
  );
}

function useTitle(connector: Connector | null, draft: Draft | null): string {
  const { t } = useMessages();
  const { data: providers } = useQuery(providersQuery);
  if (connector) return t("connectors.editTitle", { name: connector.name });
  if (draft === null) return t("connectors.add");
  const provider = providers?.find(({ type }) => type === draft.provider);
  const server = draft.kind === "ftp" && draft.tls !== "none" ? "FTPS" : draft.kind.toUpperCase();
  return t("connectors.addKind", { kind: provider ? providerName(provider.name).short : server });
}
