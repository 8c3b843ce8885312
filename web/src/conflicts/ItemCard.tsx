import { File, Folder } from "lucide-react";
import { useState } from "react";
import { useMessages } from "~/messages";
import styles from "./ConflictDialog.module.css";
import type { Item } from "./questions";
import { usePicture } from "./usePicture";

type Props = { title: string; item: Item; other: Item };

/** What is known of one of the two, and what of that is more than of the other. */
export function ItemCard({ title, item, other }: Props) {
  const { t, formats } = useMessages();
  const { isDirectory, size, modifiedAt } = item;
  const isNewer = modifiedAt !== null && other.modifiedAt !== null && modifiedAt > other.modifiedAt;
  const isLarger = size !== null && other.size !== null && size > other.size;
  return (
    <section className={styles.card} aria-label={title}>
      <Picture item={item} />
      <h3 className={styles.cardTitle}>{title}</h3>
      <dl className={styles.facts}>
        <dt>{t("files.size")}</dt>
        <dd data-more={isLarger || undefined}>
          {isDirectory || size === null ? t("files.folder") : formats.size(size)}
          {isLarger && <span className={styles.more}>{t("conflicts.larger")}</span>}
        </dd>
        <dt>{t("files.modified")}</dt>
        <dd data-more={isNewer || undefined}>
          {modifiedAt ? formats.moment(modifiedAt) : "–"}
          {isNewer && <span className={styles.more}>{t("conflicts.newer")}</span>}
        </dd>
      </dl>
    </section>
  );
}

function Picture({ item }: { item: Item }) {
  const source = usePicture(item.picture);
  const [isBroken, setBroken] = useState(false);
  const Icon = item.isDirectory ? Folder : File;
  return (
    <div className={styles.picture}>
      {source && !isBroken ? (
        <img src={source} alt="" onError={() => setBroken(true)} />
      ) : (
        <Icon size={40} strokeWidth={1.25} aria-hidden />
      )}
    </div>
  );
}
