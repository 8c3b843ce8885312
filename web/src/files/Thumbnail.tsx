import { useState } from "react";
import { previewKind, thumbnailAddress } from "~/preview";
import type { Entry } from "./entries";
import { FileIcon } from "./FileIcon";
import styles from "./TileGrid.module.css";

/** A small picture of what has one, else the icon of its kind. It says nothing that the name beside it does not. */
export function Thumbnail({ entry, size }: { entry: Entry; size: 256 | 1024 }) {
  const [failed, setFailed] = useState<string | null>(null);
  const source = thumbnailAddress(entry.path, size, entry.modifiedAt);
  const hasPicture = !entry.isDirectory && previewKind(entry.name) === "picture" && failed !== source;
  return (
    <span className={styles.thumbnail}>
      {hasPicture ? (
        <img src={source} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setFailed(source)} />
      ) : (
        <FileIcon entry={entry} size={44} />
      )}
    </span>
  );
}
