import { useQuery } from "@tanstack/react-query";
import { Cloud, Server } from "lucide-react";
import { useState } from "react";
import { Header } from "react-aria-components/Header";
import { ListBox, ListBoxItem, ListBoxSection } from "react-aria-components/ListBox";
import { Button } from "~/controls/Button";
import { DialogButtons } from "~/controls/Dialog";
import { TextField } from "~/controls/TextField";
import { useMessages } from "~/messages";
import type { Draft } from "./draft";
import styles from "./KindStep.module.css";
import { driveKinds, type Kind, matching, serverKinds } from "./kinds";
import { providersQuery } from "./query";
import { reasonOf } from "./reason";

type Props = { onChoose: (draft: Draft) => void; onCancel: () => void };

/** Asks what is to be connected. */
export function KindStep({ onChoose, onCancel }: Props) {
  const { t } = useMessages();
  const [text, setText] = useState("");
  const { data: providers, error } = useQuery(providersQuery);
  const servers = matching(serverKinds(t), text);
  const drives = matching(driveKinds(providers ?? []), text);
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
