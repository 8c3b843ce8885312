import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "~/controls/Button";
import { later } from "~/controls/later";
import { Locks } from "~/locks/Locks";
import { useMessages, withPageTexts } from "~/messages";
import { type Entry, kindText } from "~/model/entries";
import { useFolderName } from "~/model/locations";
import styles from "./DetailsPanel.module.css";
import { usePlace } from "./PlaceText";
import { Thumbnail } from "./Thumbnail";

const Versions = later(() => withPageTexts(async () => (await import("~/versions/Versions")).Versions));
const SharedWith = later(() => withPageTexts(async () => (await import("~/sharing/SharedWith")).SharedWith));

type Props = { path: string; entries: readonly Entry[]; hasVersions: boolean; onClose: () => void };

/** The details of the selected items, or of the folder if none is selected. */
export function DetailsPanel({ path, entries, hasVersions, onClose }: Props) {
  const { t } = useMessages();
  const [only] = entries;
  return (
    <aside className={styles.panel} data-empty={entries.length === 0 || undefined} aria-label={t("view.details")}>
      <header className={styles.head}>
        <h2>{t("view.details")}</h2>
        <Button look="quiet" icon={X} iconOnly onPress={onClose}>
          {t("app.close")}
        </Button>
      </header>
      {entries.length === 0 && <FolderDetails path={path} />}
      {entries.length === 1 && only && <EntryDetails entry={only} />}
      {entries.length === 1 && only && <EntrySections key={only.path} entry={only} hasVersions={hasVersions} />}
      {entries.length > 1 && <SeveralDetails entries={entries} />}
    </aside>
  );
}

function EntryDetails({ entry }: { entry: Entry }) {
  const { t, formats } = useMessages();
  const place = usePlace(entry.path);
  return (
    <>
      <div className={styles.picture}>
        <Thumbnail entry={entry} size={256} />
      </div>
      <Name>{entry.name}</Name>
      <dl className={styles.list}>
        <Detail term={t("files.kind")}>{kindText(entry, t)}</Detail>
        {!entry.isDirectory && (
          <Detail term={t("files.size")}>
            {formats.size(entry.size)}
            {entry.size >= 1024 && ` (${t("details.bytes", { count: entry.size })})`}
          </Detail>
        )}
        <Detail term={t("files.modified")}>{formats.dateTime(entry.modifiedAt)}</Detail>
        <Detail term={t("files.created")}>{formats.dateTime(entry.createdAt)}</Detail>
        <Detail term={t("details.place")}>
          <bdi>{place}</bdi>
        </Detail>
        {entry.readOnly && <Detail term={t("details.rights")}>{t("files.readOnly")}</Detail>}
      </dl>
    </>
  );
}

/** Each begins anew for another item, so nothing that was opened or typed stays. */
function EntrySections({ entry, hasVersions }: { entry: Entry; hasVersions: boolean }) {
  return (
    <>
      <SharedWith item={entry} />
      <Locks path={entry.path} />
      {hasVersions && !entry.isDirectory && <Versions path={entry.path} readOnly={entry.readOnly} />}
    </>
  );
}

function FolderDetails({ path }: { path: string }) {
  const { t } = useMessages();
  const name = useFolderName()(path);
  return (
    <>
      <Name>{name}</Name>
      <p className={styles.hint}>{t("details.selectOne")}</p>
      <SharedWith key={path} item={{ path, name, isDirectory: true }} />
    </>
  );
}

function SeveralDetails({ entries }: { entries: readonly Entry[] }) {
  const { t, formats } = useMessages();
  return (
    <>
      <Name>{t("files.selected", { count: entries.length })}</Name>
      <dl className={styles.list}>
        <Detail term={t("files.size")}>{formats.size(entries.reduce((sum, { size }) => sum + size, 0))}</Detail>
      </dl>
    </>
  );
}

function Name({ children }: { children: string }) {
  return (
    <p className={styles.name}>
      <bdi>{children}</bdi>
    </p>
  );
}

function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  );
}
