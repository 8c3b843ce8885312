import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleUser, Link2, Link2Off, Users, X } from "lucide-react";
import { useId } from "react";
import { sentenceKey } from "~/api/problem";
import { useAccount } from "~/api/session";
import { Button } from "~/controls/Button";
import { showToast } from "~/controls/toast-store";
import { factsOf, linksOfReceiversQuery, useLinkCommands } from "~/links/query";
import { joined, useMessages } from "~/messages";
import type { Link } from "~/model/links";
import { nameOf } from "~/model/path";
import styles from "./AccessList.module.css";
import {
  ACCESS_TEXTS,
  changeAccess,
  choicesOf,
  type Grant,
  grantsOf,
  type Person,
  receiverKey,
  removeAccess,
  sharedByMeQuery,
  sharesAbove,
  sharesOf,
} from "./shares";

/** Who has access to an item, with what each may do. */
export function AccessList({ path, isDirectory }: { path: string; isDirectory: boolean }) {
  const { t } = useMessages();
  const heading = useId();
  const { displayName } = useAccount();
  const { data: shares = [], error } = useQuery(sharedByMeQuery);
  const { data: links = [] } = useQuery(linksOfReceiversQuery);
  const grants = grantsOf(sharesOf(shares, path));
  const inherited = grantsOf(sharesAbove(shares, path));
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h4 id={heading} className={styles.heading}>
        {t("sharing.who")}
      </h4>
      {error !== null && <p role="alert">{t(sentenceKey(error))}</p>}
      <ul className={styles.list}>
        <li className={styles.row}>
          <CircleUser size={20} strokeWidth={1.6} aria-hidden />
          <span className={styles.name}>
            <bdi>{displayName}</bdi>
          </span>
          <span className={styles.hint}>{t("sharing.owner")}</span>
        </li>
        {grants.map((grant) => (
          <GrantRow key={`${grant.share.id} ${receiverKey(grant.receiver)}`} grant={grant} isDirectory={isDirectory} />
        ))}
        {inherited.map((grant) => (
          <li key={`${grant.share.id} ${receiverKey(grant.receiver)}`} className={styles.row}>
            <GrantName receiver={grant.receiver} />
            <span className={styles.hint}>
              {t(ACCESS_TEXTS[grant.share.access])} · {t("sharing.through", { name: grant.share.name })}
            </span>
          </li>
        ))}
        {linksAt(links, path).map((link) => (
          <LinkRow key={link.id} link={link} isBelow={link.path !== path} />
        ))}
      </ul>
    </section>
  );
}

/** The links to an item, to what is in it, and to what it is in. */
function linksAt(links: readonly Link[], path: string): Link[] {
  return links.filter((link) => `${link.path}/`.startsWith(`${path}/`) || path.startsWith(`${link.path}/`));
}

/** A link that a receiver made. */
function LinkRow({ link, isBelow }: { link: Link; isBelow: boolean }) {
  const { t, formats } = useMessages();
  const { end } = useLinkCommands();
  const name = link.by ?? "";
  const facts = factsOf(link, t, formats);
  return (
    <li className={styles.row}>
      <Link2 size={20} strokeWidth={1.6} aria-hidden />
      <span className={styles.name}>
        <bdi>{t("sharing.linkBy", { name })}</bdi>
        <span className={styles.hint}>{joined(isBelow ? [nameOf(link.path), ...facts] : facts)}</span>
      </span>
      <Button look="quiet" icon={Link2Off} iconOnly onPress={() => void end(link)}>
        {t("sharing.endLinkBy", { name })}
      </Button>
    </li>
  );
}

/** One who has access. What is changed holds at once. */
function GrantRow({ grant, isDirectory }: { grant: Grant; isDirectory: boolean }) {
  const { t } = useMessages();
  const client = useQueryClient();
  const { share, receiver } = grant;
  const name = receiver.displayName;
  const attempt = async (work: Promise<void>, done: string | null) => {
    try {
      await work;
      if (done !== null) showToast({ text: done });
    } catch (error) {
      showToast({ text: t(sentenceKey(error)), tone: "danger" });
    }
  };
  const choices = choicesOf(isDirectory);
  return (
    <li className={styles.row}>
      <GrantName receiver={receiver} />
      <select
        className={styles.access}
        aria-label={t("sharing.accessOf", { name })}
        value={share.access}
        onChange={(event) => {
          const chosen = choices.find(({ access }) => access === event.target.value);
          if (chosen) void attempt(changeAccess(client, grant, chosen.access), null);
        }}
      >
        {choices.map(({ access }) => (
          <option key={access} value={access}>
            {t(ACCESS_TEXTS[access])}
          </option>
        ))}
      </select>
      <Button
        look="quiet"
        icon={X}
        iconOnly
        onPress={() => void attempt(removeAccess(client, grant), t("sharing.removed", { name }))}
      >
        {t("sharing.remove", { name })}
      </Button>
    </li>
  );
}

function GrantName({ receiver }: { receiver: Person }) {
  const { t } = useMessages();
  const Icon = receiver.group === null ? CircleUser : Users;
  return (
    <>
      <Icon size={20} strokeWidth={1.6} aria-hidden />
      <span className={styles.name}>
        <bdi>{receiver.displayName}</bdi>
        {receiver.group !== null && <span className={styles.hint}>{t("sharing.group")}</span>}
      </span>
    </>
  );
}
