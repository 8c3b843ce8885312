import { useQuery } from "@tanstack/react-query";
import { Link2, UserPlus } from "lucide-react";
import { useState } from "react";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { DetailsSection } from "~/controls/DetailsSection";
import { later } from "~/controls/later";
import { linksOfReceiversQuery } from "~/links/query";
import { joined, type Translate, useMessages } from "~/messages";
import { linksQuery } from "~/model/links";
import { locationOf, locationsQuery } from "~/model/locations";
import { nameOf } from "~/model/path";
import { LeaveButton } from "./LeaveButton";
import styles from "./SharedWith.module.css";
import {
  ACCESS_TEXTS,
  type Grant,
  grantsOf,
  receiverKey,
  type Share,
  shareAround,
  sharedByMeQuery,
  sharedWithMeQuery,
  sharesAbove,
  sharesOf,
} from "./shares";

const ShareDialog = later(async () => (await import("./ShareDialog")).ShareDialog);

type Item = { path: string; name: string; isDirectory: boolean };

/** Who else has access to an item; of what others share, who shares it. */
export function SharedWith({ item }: { item: Item }) {
  const { data: locations = [] } = useQuery(locationsQuery);
  const kind = locationOf(locations, item.path)?.kind;
  if (kind === "own") return item.path === "" ? null : <OwnItem item={item} />;
  return kind === "shared" ? <SharedBy path={item.path} /> : null;
}

function OwnItem({ item }: { item: Item }) {
  const { t } = useMessages();
  const { data: shares = [], error } = useQuery(sharedByMeQuery);
  const { data: links = [] } = useQuery(linksQuery);
  const [isOpen, setOpen] = useState(false);
  const own = grantsOf(sharesOf(shares, item.path));
  const inherited = grantsOf(sharesAbove(shares, item.path));
  const ofReceivers = useQuery(linksOfReceiversQuery).data ?? [];
  const linkCount = [...links, ...ofReceivers].filter(({ path }) => path === item.path).length;
  return (
    <DetailsSection title={t("sharing.sharedWith")}>
      {error !== null && <p role="alert">{t(sentenceKey(error))}</p>}
      {own.length + inherited.length + linkCount === 0 && <p className={styles.hint}>{t("sharing.onlyYou")}</p>}
      <ul className={styles.list}>
        {own.map((grant) => (
          <GrantItem key={keyOf(grant)} grant={grant} through={null} />
        ))}
        {inherited.map((grant) => (
          <GrantItem key={keyOf(grant)} grant={grant} through={nameOf(grant.share.path)} />
        ))}
        {linkCount > 0 && (
          <li className={styles.item}>
            <span className={styles.name}>
              <Link2 size={16} aria-hidden /> {t("sharing.links", { count: linkCount })}
            </span>
          </li>
        )}
      </ul>
      <div>
        <Button icon={UserPlus} onPress={() => setOpen(true)}>
          {t("sharing.manage")}
        </Button>
      </div>
      {isOpen && <ShareDialog {...item} onClose={() => setOpen(false)} />}
    </DetailsSection>
  );
}

function keyOf({ share, receiver }: Grant): string {
  return `${share.id} ${receiverKey(receiver)}`;
}

/** One who has access; `through` names the folder above that is shared. */
function GrantItem({ grant, through }: { grant: Grant; through: string | null }) {
  const { t } = useMessages();
  return (
    <li className={styles.item}>
      <span className={styles.name}>
        <bdi>{grant.receiver.displayName}</bdi>
      </span>
      <span className={styles.hint}>
        {t(ACCESS_TEXTS[grant.share.access])}
        {through !== null && ` · ${t("sharing.through", { name: through })}`}
      </span>
    </li>
  );
}

/** The groups by which it comes. */
function throughTexts({ through }: Share, t: Translate): string[] {
  return through.flatMap(({ group }) => (group === null ? [] : [t("sharing.through", { name: group })]));
}

/** By whom it is shared, and the way out of it. */
function SharedBy({ path }: { path: string }) {
  const { t } = useMessages();
  const { data: shares = [] } = useQuery(sharedWithMeQuery);
  const share = shareAround(shares, path);
  // A folder of the server, which an administrator shares.
  if (!share) return null;
  return (
    <DetailsSection title={t("sharing.sharedBy")}>
      <p>
        <bdi>{share.owner.displayName}</bdi>
        <br />
        <span className={styles.hint}>{joined([t(ACCESS_TEXTS[share.access]), ...throughTexts(share, t)])}</span>
      </p>
      <div>
        <LeaveButton share={share} />
      </div>
    </DetailsSection>
  );
}
