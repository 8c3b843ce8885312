import { useQuery } from "@tanstack/react-query";
import { Cloud, Server } from "lucide-react";
import { useId, useState } from "react";
import { Header } from "react-aria-components/Header";
import { ListBox, ListBoxItem, ListBoxSection } from "react-aria-components/ListBox";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { type Translate, useMessages } from "~/messages";
import { folded } from "~/model/folding";
import { ConnectorForm, useConnecting } from "./ConnectorForm";
import { type Draft, draftOf, emptyDraft, usualPort } from "./draft";
import hostKeyStepStyles from "./HostKeyStep.module.css";
import { providerName } from "./options";
import { type Connector, type Provider, providersQuery, reasonOf } from "./query";
import styles from "./Wizard.module.css";

/** Something that can be connected. */
type Kind = { id: string; name: string; hint: string; draft: () => Draft };

function serverKinds(t: Translate): Kind[] {
  return [
    { id: "sftp", name: "SFTP", hint: t("connectors.sftpHint"), draft: () => emptyDraft("sftp") },
    { id: "ftps", name: "FTPS", hint: t("connectors.ftpsHint"), draft: () => emptyDraft("ftp", "", "explicit") },
    { id: "ftp", name: "FTP", hint: t("connectors.ftpHint"), draft: () => emptyDraft("ftp") },
  ];
}

function driveKinds(providers: readonly Provider[], collator: Intl.Collator): Kind[] {
  const kinds = providers.map(({ type, name }) => {
    const { short, rest } = providerName(name);
    return { id: `drive:${type}`, name: short, hint: rest, draft: () => emptyDraft("drive", type) };
  });
  return kinds.sort((a, b) => collator.compare(a.name, b.name));
}

/** The kinds whose names contain the text; S3 has the names of all its providers. */
function matching(kinds: readonly Kind[], text: string): Kind[] {
  const wanted = folded(text.trim());
  return kinds.filter(({ name, hint }) => folded(`${name} ${hint}`).includes(wanted));
}

type WizardProps = {
  /** The one that is changed; null for a new one. */
  connector: Connector | null;
  /** The account that gets it; null for one's own. */
  owner?: string | null;
  onClose: () => void;
};

/** Step by step: what it is, what is known of it, whether the server is the right one. */
export function Wizard({ connector, owner = null, onClose }: WizardProps) {
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

type KindStepProps = { onChoose: (draft: Draft) => void; onCancel: () => void };

/** Asks what is to be connected. */
function KindStep({ onChoose, onCancel }: KindStepProps) {
  const { t, formats } = useMessages();
  const [text, setText] = useState("");
  const { data: providers, error } = useQuery(providersQuery);
  const servers = matching(serverKinds(t), text);
  const drives = matching(driveKinds(providers ?? [], formats.collator), text);
  const all = [...servers, ...drives];
  const choose = (id: string) => {
    const kind = all.find((one) => one.id === id);
    if (kind) onChoose(kind.draft());
  };
  return (
    <div className={styles.step}>
      <TextField label={t("connectors.find")} autoFocus value={text} onChange={setText} />
      <ListBox
        className={styles.list ?? ""}
        aria-label={t("connectors.kinds")}
        // Focus that comes with a press scrolls, and the press would end beside its item.
        shouldFocusOnHover
        onAction={(id) => choose(String(id))}
        renderEmptyState={() => <p className={styles.none}>{t("connectors.noKind", { text })}</p>}
      >
        {servers.length > 0 && <Kinds title={t("connectors.servers")} kinds={servers} icon={Server} />}
        {drives.length > 0 && <Kinds title={t("connectors.drives")} kinds={drives} icon={Cloud} />}
      </ListBox>
      {error && <p role="alert">{t("connectors.noDrives", { reason: reasonOf(error, t) })}</p>}
      <DialogButtons>
        <Button onPress={onCancel}>{t("app.cancel")}</Button>
      </DialogButtons>
    </div>
  );
}

type KindsProps = { title: string; kinds: readonly Kind[]; icon: typeof Server };

function Kinds({ title, kinds, icon: Icon }: KindsProps) {
  return (
    <ListBoxSection aria-label={title}>
      <Header className={styles.header ?? ""}>{title}</Header>
      {kinds.map(({ id, name, hint }) => (
        <ListBoxItem key={id} id={id} textValue={name} className={styles.item ?? ""}>
          <Icon size={20} strokeWidth={1.6} aria-hidden />
          <span>
            {name}
            {hint !== "" && <span className={styles.hint}> {hint}</span>}
          </span>
        </ListBoxItem>
      ))}
    </ListBoxSection>
  );
}

type HostKeyStepProps = {
  draft: Draft;
  /** The key that the server shows. */
  hostKey: string;
  /** The one that was trusted before; empty for none. */
  before: string;
  onRefuse: () => void;
  onConfirm: () => void;
};

/** Asks whether the server is the one that is meant, before a password goes to it. */
function HostKeyStep({ draft, hostKey, before, onRefuse, onConfirm }: HostKeyStepProps) {
  const { t } = useMessages();
  const id = useId();
  const server = `${draft.host.trim()}:${draft.port || usualPort(draft)}`;
  return (
    <section className={hostKeyStepStyles.step} aria-labelledby={id}>
      <h3 id={id}>{t("connectors.keyTitle")}</h3>
      <p>{t("connectors.keyHint", { server })}</p>
      <output className={hostKeyStepStyles.key} aria-label={t("connectors.fingerprint")} dir="ltr">
        {hostKey}
      </output>
      {before !== "" && before !== hostKey && <p className={hostKeyStepStyles.warning}>{t("connectors.keyChanged")}</p>}
      <p className={hostKeyStepStyles.soft}>{t("connectors.keyCheck")}</p>
      <DialogButtons>
        <Button autoFocus onPress={onRefuse}>
          {t("connectors.back")}
        </Button>
        <Button look="primary" onPress={onConfirm}>
          {t("connectors.trust")}
        </Button>
      </DialogButtons>
    </section>
  );
}
