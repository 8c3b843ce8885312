import { useCallback, useState } from "react";
import { contentAddress, thumbnailAddress } from "~/content/address";
import { previewKind } from "~/content/kind";
import { loadInTurn } from "~/content/picture-turns";
import type { Entry } from "~/model/entries";
import { FileIcon } from "~/model/FileIcon";
import styles from "./TileGrid.module.css";

/** So large a drawing is still drawn as it is; the server makes no smaller ones of them. */
const MOST_DRAWING_BYTES = 256 * 1024;

function sourceOf({ path, name, size: bytes, modifiedAt }: Entry, size: 256 | 1024): string {
  const isDrawing = name.toLowerCase().endsWith(".svg") && bytes <= MOST_DRAWING_BYTES;
  return isDrawing ? contentAddress(path) : thumbnailAddress(path, size, modifiedAt);
}

/** A small picture of what has one, else the icon of its kind. It says nothing that the name beside it does not. */
export function Thumbnail({ entry, size }: { entry: Entry; size: 256 | 1024 }) {
  const [failed, setFailed] = useState<string | null>(null);
  const source = sourceOf(entry, size);
  const hasPicture = !entry.isDirectory && previewKind(entry.name) === "picture" && failed !== source;
  const load = useCallback(
    (image: HTMLImageElement | null) => (image ? loadInTurn(image, source, () => setFailed(source)) : undefined),
    [source],
  );
  return (
    <span className={styles.thumbnail}>
      {hasPicture ? <img ref={load} alt="" decoding="async" draggable={false} /> : <FileIcon entry={entry} size={44} />}
    </span>
  );
}
