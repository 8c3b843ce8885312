import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CodeView } from "~/content/CodeView";
import { NoPreview, PreviewFailed, PreviewSkeleton } from "~/content/ContentStates";
import { previewKind } from "~/content/kind";
import { Button } from "~/controls/Button";
import { Dialog, DialogButtons } from "~/controls/Dialog";
import { useMessages } from "~/messages";
import { nameOf } from "~/model/path";
import styles from "./VersionPreview.module.css";
import { type Version, versionAddress, versionTextQuery } from "./versions";

type Props = { path: string; version: Version; onClose: () => void };

/** The content of a version, as the kind of its file is shown. */
export function VersionPreview({ path, version, onClose }: Props) {
  const { t, formats } = useMessages();
  const date = formats.dateTime(version.modifiedAt);
  return (
    <Dialog title={t("versions.previewTitle", { name: nameOf(path), date })} size="large" onClose={onClose}>
      <div className={styles.body}>
        <Content name={nameOf(path)} version={version} />
      </div>
      <DialogButtons>
        <Button autoFocus onPress={onClose}>
          {t("app.close")}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

type ContentProps = { name: string; version: Version };

function Content({ name, version }: ContentProps) {
  const kind = previewKind(name);
  switch (kind) {
    case "picture":
      return <Picture name={name} version={version} />;
    case "video":
    case "audio":
      return <Media name={name} version={version} kind={kind} />;
    case "pdf":
    case "none":
      return <NoPreview />;
    default:
      return <Text name={name} version={version} />;
  }
}

function Picture({ name, version }: ContentProps) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <NoPreview />;
  return (
    <img
      className={styles.picture}
      src={versionAddress(version, "inline")}
      alt={name}
      onError={() => setFailed(true)}
      draggable={false}
    />
  );
}

/** A player, which asks the server for the parts that it needs. */
function Media({ name, version, kind: Player }: ContentProps & { kind: "video" | "audio" }) {
  const { t } = useMessages();
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <NoPreview reason={t("preview.notPlayable")} />;
  return (
    <Player
      className={styles.picture}
      src={versionAddress(version, "inline")}
      aria-label={name}
      controls
      playsInline
      preload="metadata"
      onError={() => setFailed(true)}
    />
  );
}

function Text({ name, version }: ContentProps) {
  const { t } = useMessages();
  const { data: file, error, refetch } = useQuery(versionTextQuery(version));
  if (error) return <PreviewFailed error={error} onRetry={() => void refetch()} />;
  if (!file) return <PreviewSkeleton />;
  if (file.encoding === null) return <NoPreview />;
  return (
    <>
      <CodeView name={name} label={name} text={file.text} lineBreak={file.lineBreak} isReadOnly />
      {!file.isWhole && <p>{t("preview.cut")}</p>}
    </>
  );
}
