import { useState } from "react";
import { nameOf } from "~/files";
import { useMessages } from "~/messages";
import { contentAddress } from "./address";
import { NoPreview } from "./NoPreview";
import styles from "./PreviewBody.module.css";

type Props = { path: string; kind: "video" | "audio" };

/** A player, which asks the server for the parts that it needs. */
export function MediaPreview({ path, kind: Player }: Props) {
  const { t } = useMessages();
  const [hasFailed, setFailed] = useState(false);
  // What fails before the page shows the player sends an event that React drops.
  const lookAgain = (player: HTMLMediaElement | null) => {
    if (player?.error) setFailed(true);
  };
  if (hasFailed) return <NoPreview reason={t("preview.notPlayable")} />;
  return (
    <div className={styles.media}>
      <Player
        ref={lookAgain}
        className={styles[Player]}
        src={contentAddress(path)}
        aria-label={nameOf(path)}
        controls
        playsInline
        preload="metadata"
        onError={() => setFailed(true)}
      />
    </div>
  );
}
