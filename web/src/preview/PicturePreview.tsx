import { useState } from "react";
import { ToggleButton } from "react-aria-components/ToggleButton";
import { nameOf } from "~/files";
import { useMessages } from "~/messages";
import { contentAddress, thumbnailAddress } from "./address";
import { NoPreview } from "./NoPreview";
import styles from "./PreviewBody.module.css";

type Props = { path: string; version: string };

/**
 * A picture: as it is, else the server's smaller one, for kinds that the browser does not know. A drawing in an `img`
 * runs no script.
 */
export function PicturePreview({ path, version }: Props) {
  const { t } = useMessages();
  const [isActualSize, setActualSize] = useState(false);
  const sources = [contentAddress(path), thumbnailAddress(path, 1024, version)];
  const [failures, setFailures] = useState(0);
  const source = sources[failures];
  if (source === undefined) return <NoPreview />;
  return (
    <div className={styles.stage}>
      <div className={styles.picture} data-actual={isActualSize || undefined} tabIndex={isActualSize ? 0 : undefined}>
        <img src={source} alt={nameOf(path)} onError={() => setFailures(failures + 1)} draggable={false} />
      </div>
      <ToggleButton className={styles.zoom ?? ""} isSelected={isActualSize} onChange={setActualSize}>
        {t("preview.actualSize")}
      </ToggleButton>
    </div>
  );
}
