import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useRef, useState } from "react";
import { methodsQuery } from "~/api/methods";
import { knowsPasskeys } from "~/api/passkeys";
import { hasCode, problemText } from "~/api/problem";
import { Button } from "~/controls/Button";
import { Dialog, FormDialog } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { Section } from "~/settings/Section";
import { addPasskey, type Passkey, passkeysQuery, removePasskey, renamePasskey } from "./query";
import { RecoveryCodes } from "./RecoveryCodes";
import styles from "./Security.module.css";

type Open = { kind: "add" } | { kind: "rename" | "remove"; passkey: Passkey };

/** The passkeys that open the account, where this server has passkeys or the account had some. */
export function Passkeys() {
  const { t } = useMessages();
  const { data: methods } = useQuery(methodsQuery);
  const { data: passkeys = [] } = useQuery(passkeysQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const mayAdd = (methods?.passkeys ?? false) && knowsPasskeys();
  if (!mayAdd && passkeys.length === 0) return null;
  return (
    <Section title={t("passkeys.title")} hint={t("passkeys.hint")}>
      {passkeys.length > 0 && (
        <ul className={styles.list} aria-label={t("passkeys.title")}>
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} onOpen={(kind) => setOpen({ kind, passkey })} />
          ))}
        </ul>
      )}
      {mayAdd && (
        <div className={styles.buttons}>
          <Button onPress={() => setOpen({ kind: "add" })}>{t("passkeys.add")}</Button>
        </div>
      )}
      {open && <PasskeyDialog open={open} onClose={() => setOpen(null)} />}
    </Section>
  );
}

type ItemProps = { passkey: Passkey; onOpen: (kind: "rename" | "remove") => void };

function PasskeyItem({ passkey, onOpen }: ItemProps) {
  const { t, formats } = useMessages();
  const { name, lastUsedAt, counterFellAt } = passkey;
  return (
    <li className={styles.item}>
      <KeyRound size={20} strokeWidth={1.6} aria-hidden />
      <div className={styles.text}>
        <bdi>{name}</bdi>
        <span className={styles.small}>
          {lastUsedAt === null
            ? t("passkeys.unused", { at: formats.dateTime(passkey.createdAt) })
            : t("security.lastUsed", { at: formats.dateTime(lastUsedAt) })}
        </span>
        {counterFellAt !== null && (
          <span className={styles.small}>{t("passkeys.fell", { at: formats.dateTime(counterFellAt) })}</span>
        )}
      </div>
      <Button aria-label={t("passkeys.renameOf", { name })} onPress={() => onOpen("rename")}>
        {t("passkeys.rename")}
      </Button>
      <Button aria-label={t("passkeys.removeOf", { name })} onPress={() => onOpen("remove")}>
        {t("passkeys.remove")}
      </Button>
    </li>
  );
}

function PasskeyDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  const { t } = useMessages();
  const client = useQueryClient();
  switch (open.kind) {
    case "add":
      return <AddPasskey onClose={onClose} />;
    case "rename":
      return <RenamePasskey passkey={open.passkey} onClose={onClose} />;
    case "remove":
      return (
        <FormDialog
          isDanger
          title={t("passkeys.removeTitle", { name: open.passkey.name })}
          submit={t("passkeys.remove")}
          onSubmit={() => removePasskey(client, open.passkey.id)}
          explain={(error) => (hasCode(error, "precondition_failed") ? t("security.lastWay") : problemText(t, error))}
          onClose={onClose}
        >
          <p>{t("passkeys.removeText")}</p>
        </FormDialog>
      );
  }
}

/** Adds a passkey, then shows the recovery codes that the first one brings, which nothing but a button closes. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const { t } = useMessages();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (!codes) return <NewPasskey onEnd={(made) => (made ? setCodes(made) : onClose())} />;
  return (
    <Dialog title={t("security.codes")} size="medium" onClose={() => {}}>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </Dialog>
  );
}

/** Asks for a name, and has the browser make the passkey. */
function NewPasskey({ onEnd }: { onEnd: (codes: readonly string[] | null) => void }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const codes = useRef<readonly string[] | null>(null);
  const add = async () => {
    codes.current = await addPasskey(client, name.trim());
    showToast({ text: t("passkeys.added", { name: name.trim() }) });
  };
  return (
    <FormDialog
      title={t("passkeys.add")}
      submit={t("passkeys.make")}
      isDisabled={name.trim() === ""}
      onSubmit={add}
      explain={(error) => (error instanceof DOMException ? t("passkeys.none") : problemText(t, error, ["forbidden"]))}
      onClose={() => onEnd(codes.current)}
    >
      <PasskeyName value={name} onChange={setName} />
    </FormDialog>
  );
}

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const [name, setName] = useState(passkey.name);
  return (
    <FormDialog
      title={t("passkeys.renameOf", { name: passkey.name })}
      submit={t("passkeys.rename")}
      isDisabled={name.trim() === ""}
      onSubmit={() => renamePasskey(client, passkey.id, name.trim())}
      onClose={onClose}
    >
      <PasskeyName value={name} onChange={setName} />
    </FormDialog>
  );
}

function PasskeyName({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useMessages();
  return (
    <TextField
      label={t("passkeys.name")}
      hint={t("passkeys.nameHint")}
      maxLength={64}
      autoFocus
      value={value}
      onChange={onChange}
    />
  );
}
