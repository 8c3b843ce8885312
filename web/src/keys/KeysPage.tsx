import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, ExternalLink, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { hasCode, sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { CheckField } from "~/controls/CheckField";
import { FormDialog } from "~/controls/Dialog";
import { EmptyState } from "~/controls/EmptyState";
import { RowsSkeleton } from "~/controls/ListState";
import { later } from "~/controls/later";
import { showToast } from "~/controls/toast-store";
import { joined, useMessages } from "~/messages";
import { linksQuery } from "~/model/links";
import { locationsQuery, partsOf } from "~/model/locations";
import { at } from "~/platform/base";
import { PageHead } from "~/settings/Section";
import styles from "./ApiDocs.module.css";
import { KeyGrid } from "./KeyGrid";
import { type ApiKey, allMadeWith, apiKeysQuery, goneMakers } from "./query";

const NewKey = later(async () => (await import("./NewKey")).NewKey);

/** The keys by which programs use the API: made, seen in use, revoked. */
export function KeysPage() {
  const { t } = useMessages();
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <>
      <PageHead title={t("keys.title")} intro={t("keys.intro")}>
        <Button look="primary" icon={Plus} onPress={() => setMaking(true)}>
          {t("keys.new")}
        </Button>
      </PageHead>
      <Keys onRevoke={setRevoking} />
      <ApiDocs />
      {isMaking && <NewKey onClose={() => setMaking(false)} />}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function Keys({ onRevoke }: { onRevoke: (key: ApiKey) => void }) {
  const { t } = useMessages();
  const { data: keys, error, refetch } = useQuery(apiKeysQuery);
  if (keys === undefined && error) {
    return (
      <EmptyState icon={CircleAlert} tone="danger" title={t(sentenceKey(error))}>
        <Button onPress={() => void refetch()}>{t("app.retry")}</Button>
      </EmptyState>
    );
  }
  if (keys === undefined) return <RowsSkeleton lines={2} />;
  if (keys.length === 0) return <EmptyState icon={KeyRound} title={t("keys.none")} hint={t("keys.noneHint")} />;
  return <KeyGrid keys={keys} onRevoke={onRevoke} />;
}

/** Where what a key is good for is described. */
function ApiDocs() {
  const { t } = useMessages();
  return (
    <p className={styles.docs}>
      {t("keys.docs")}
      <DocsLink href={at("/api/docs")} text={t("keys.docsV1")} />
      <DocsLink href={at("/api/v2/docs")} text={t("keys.docsV2")} />
    </p>
  );
}

function DocsLink({ href, text }: { href: string; text: string }) {
  return (
    <a className={styles.link} href={href} target="_blank" rel="noreferrer">
      {text}
      <ExternalLink size={14} aria-hidden />
    </a>
  );
}

type Props = { apiKey: ApiKey; onClose: () => void };

/** Asks before a key is revoked: programs that use it stop, and it does not come back. */
function RevokeDialog({ apiKey, onClose }: Props) {
  const { t } = useMessages();
  /** The key with which all that was made is to end: this one, or one of its makers that are gone. */
  const [root, setRoot] = useState<string | null>(null);
  const choices = useChoices(apiKey);
  const revoke = useRevoke(apiKey);
  return (
    <FormDialog
      title={t("keys.revokeTitle", { name: apiKey.name })}
      submit={t("keys.revoke")}
      isDanger
      onSubmit={async () => void (root === null ? revoke(apiKey.id, "stays") : revoke(root, "ends"))}
      onClose={onClose}
    >
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
    </FormDialog>
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
    const names = [
      ...made.keys.map(({ name }) => name),
      ...made.links.map(({ path }) => partsOf(path, locations).join("/")),
    ];
    // The items made with the key's maker include those made with the key.
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

const MOST_NAMES = 10;

type MadeFieldProps = {
  label: string;
  /** Of what is to end too. */
  names: readonly string[];
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
};

/** Asks if the keys and links made with a key end with it. */
function MadeField({ label, names, isChecked, onChange }: MadeFieldProps) {
  const shown = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), "…"] : names;
  return <CheckField label={label} hint={joined(shown)} isChecked={isChecked} onChange={onChange} />;
}
