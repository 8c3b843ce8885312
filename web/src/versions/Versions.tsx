import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Eye, RotateCcw, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { sentenceKey } from "~/api/problem";
import { Button } from "~/controls/Button";
import { DetailsSection } from "~/controls/DetailsSection";
import { FormDialog } from "~/controls/Dialog";
import { later } from "~/controls/later";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { nameOf } from "~/model/path";
import styles from "./Versions.module.css";
import { removeVersion, restoreVersion, type Version, versionAddress, versionsQuery } from "./versions";

const VersionPreview = later(async () => (await import("./VersionPreview")).VersionPreview, { isLarge: true });

type Props = { path: string; readOnly: boolean };

/** What a file was before it was replaced, with what can be done with that. */
export function Versions({ path, readOnly }: Props) {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const { data: versions, error } = useQuery(versionsQuery(path));
  const [opened, open] = useState<Version | null>(null);
  const [doomed, doom] = useState<Version | null>(null);
  const restore = async (version: Version) => {
    try {
      await restoreVersion(client, path, version);
      showToast({ text: t("versions.restored", { name: nameOf(path) }) });
    } catch (failure) {
      showToast({ text: t(sentenceKey(failure)), tone: "danger" });
    }
  };
  return (
    <DetailsSection title={t("versions.title")}>
      {error !== null && <p role="alert">{t(sentenceKey(error))}</p>}
      {versions?.length === 0 && <p className={styles.hint}>{t("versions.none")}</p>}
      {versions !== undefined && versions.length > 0 && (
        <ul className={styles.list}>
          {versions.map((version) => (
            <VersionItem
              key={version.id}
              version={version}
              readOnly={readOnly}
              onOpen={() => open(version)}
              onRestore={() => void restore(version)}
              onRemove={() => doom(version)}
            />
          ))}
        </ul>
      )}
      {opened && <VersionPreview path={path} version={opened} onClose={() => open(null)} />}
      {doomed && (
        <FormDialog
          isDanger
          title={t("versions.removeTitle")}
          submit={t("versions.remove")}
          onClose={() => doom(null)}
          onSubmit={() => removeVersion(client, path, doomed)}
        >
          <p>{t("versions.removeText", { date: formats.dateTime(doomed.modifiedAt) })}</p>
        </FormDialog>
      )}
    </DetailsSection>
  );
}

function save(version: Version): void {
  const link = document.createElement("a");
  link.href = versionAddress(version, "attachment");
  link.download = "";
  link.click();
}

type ItemProps = {
  version: Version;
  readOnly: boolean;
  onOpen: () => void;
  onRestore: () => void;
  onRemove: () => void;
};

/** One version. Its buttons are described by its date, which tells it from the others. */
function VersionItem({ version, readOnly, onOpen, onRestore, onRemove }: ItemProps) {
  const { t, formats } = useMessages();
  const date = useId();
  const replaced = { date: formats.dateTime(version.replacedAt), name: version.by };
  return (
    <li className={styles.item} aria-labelledby={date}>
      <p id={date} className={styles.date}>
        <time dateTime={version.modifiedAt}>{formats.dateTime(version.modifiedAt)}</time>
      </p>
      <p className={styles.hint}>
        {formats.size(version.size)}
        <br />
        {t(version.keyId === null ? "versions.replacedBy" : "versions.replacedByKey", replaced)}
      </p>
      <div className={styles.buttons}>
        <Button look="quiet" icon={Eye} iconOnly aria-describedby={date} onPress={onOpen}>
          {t("versions.open")}
        </Button>
        <Button look="quiet" icon={Download} iconOnly aria-describedby={date} onPress={() => save(version)}>
          {t("files.download")}
        </Button>
        {!readOnly && (
          <>
            <Button look="quiet" icon={RotateCcw} iconOnly aria-describedby={date} onPress={onRestore}>
              {t("versions.restore")}
            </Button>
            <Button look="quiet" icon={Trash2} iconOnly aria-describedby={date} onPress={onRemove}>
              {t("versions.remove")}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}
