import { File as FileSymbol, Folder } from "lucide-react";
import { useEffect, useState } from "react";
import { thumbnailAddress } from "~/content/address";
import { Button } from "~/controls/Button";
import { CheckField } from "~/controls/CheckField";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import { useFolderName } from "~/model/locations";
import styles from "./ConflictDialog.module.css";
import { type Asked, type Choice, canReplace, type Item } from "./questions";

/** Both items side by side, and what is to become of them. */
export function ConflictDialog({ asked }: { asked: Asked }) {
  const { t } = useMessages();
  const folderName = useFolderName();
  const [forAll, setForAll] = useState(false);
  const { conflict, left } = asked;
  const { there, coming } = conflict;
  const isReplaceable = canReplace(there, coming);
  const choose = (choice: Choice) => asked.answer(choice, forAll && left > 0);
  return (
    <Dialog
      title={t("conflicts.title", { name: conflict.name })}
      role="alertdialog"
      size="medium"
      onClose={asked.cancel}
    >
      <p className={styles.hint}>{t("conflicts.in", { folder: folderName(conflict.folder) })}</p>
      <p className={styles.hint}>{t(hintOf(isReplaceable, coming.isDirectory))}</p>
      <div className={styles.pair}>
        <ItemCard key={`there ${conflict.name}`} title={t("conflicts.there")} item={there} other={coming} />
        <ItemCard key={`coming ${conflict.name}`} title={t("conflicts.coming")} item={coming} other={there} />
      </div>
      {left > 0 && (
        <CheckField label={t("conflicts.forAll", { count: left })} isChecked={forAll} onChange={setForAll} />
      )}
      <DialogButtons>
        <span className={styles.cancel}>
          <Button look="quiet" onPress={asked.cancel}>
            {t("app.cancel")}
          </Button>
        </span>
        <Button onPress={() => choose("skip")}>{t("conflicts.skip")}</Button>
        <Button isDisabled={!isReplaceable} onPress={() => choose("replace")}>
          {t("conflicts.replace")}
        </Button>
        <Button autoFocus look="primary" onPress={() => choose("keepBoth")}>
          {t("conflicts.keepBoth")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function hintOf(isReplaceable: boolean, isDirectory: boolean) {
  if (!isReplaceable) return "conflicts.hintDiffer" as const;
  return isDirectory ? ("conflicts.hintFolder" as const) : ("conflicts.hintFile" as const);
}

type Props = { title: string; item: Item; other: Item };

/** One of the two items, with the marks "newer" and "larger". */
function ItemCard({ title, item, other }: Props) {
  const { t, formats } = useMessages();
  const { isDirectory, size, modifiedAt } = item;
  // Some disks and servers keep two seconds as one.
  const isNewer = modifiedAt !== null && other.modifiedAt !== null && +modifiedAt - +other.modifiedAt >= 2_000;
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
          {modifiedAt ? formats.exactMoment(modifiedAt) : "–"}
          {isNewer && <span className={styles.more}>{t("conflicts.newer")}</span>}
        </dd>
      </dl>
    </section>
  );
}

function Picture({ item }: { item: Item }) {
  const source = usePicture(item);
  const [isBroken, setBroken] = useState(false);
  const Icon = item.isDirectory ? Folder : FileSymbol;
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

/** Larger ones would be read whole for a picture of a thumb's size. */
const LARGEST_BYTES = 32 * 1024 * 1024;

function isPicture(file: File): boolean {
  return file.type.startsWith("image/") && file.size <= LARGEST_BYTES;
}

/** The address of a small picture: the server's of a path, or of a file of this device. */
function usePicture({ picture, modifiedAt }: Item): string | null {
  const [own, setOwn] = useState<string | null>(null);
  useEffect(() => {
    if (!(picture instanceof File) || !isPicture(picture)) return;
    const url = URL.createObjectURL(picture);
    setOwn(url);
    return () => URL.revokeObjectURL(url);
  }, [picture]);
  if (typeof picture === "string") {
    return thumbnailAddress(picture, 256, String(Number(modifiedAt)));
  }
  return own;
}
