import {
  Cloud,
  File,
  FileArchive,
  FileCode,
  FileText,
  Film,
  Folder,
  HardDrive,
  Image,
  type LucideIcon,
  Music,
  Server,
} from "lucide-react";
import type { Entry } from "./entries";
import styles from "./FileIcon.module.css";

const MOUNTS: Record<NonNullable<Entry["mount"]>, LucideIcon> = {
  shared: HardDrive,
  ftp: Server,
  sftp: Server,
  clouddrive: Cloud,
};

const KINDS: readonly [LucideIcon, string][] = [
  [Image, "avif avifs bmp gif heic heif hif ico jfif jpe jpeg jpg jxl pjp pjpeg png svg tif tiff webp"],
  [Film, "avi m4v mkv mov mp4 mpeg mpg ogv webm"],
  [Music, "aac flac m4a mp3 oga ogg opus wav wma"],
  [FileArchive, "7z bz2 gz rar tar tgz xz zip zst"],
  [FileCode, "c cc cpp css go h html java js json py rs sh toml ts xml yaml yml"],
  [FileText, "doc docx md odt pdf rtf tex txt"],
];

const BY_EXTENSION = new Map(
  KINDS.flatMap(([icon, extensions]) => extensions.split(" ").map((one) => [one, icon] as const)),
);

function iconOf({ name, isDirectory, mount }: Entry): LucideIcon {
  if (mount !== null) return MOUNTS[mount];
  if (isDirectory) return Folder;
  return BY_EXTENSION.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase()) ?? File;
}

/** The icon of an item's kind, by its extension. */
export function FileIcon({ entry, size = 20 }: { entry: Entry; size?: number }) {
  const Icon = iconOf(entry);
  // The line of a large one is as thin as that of a small one.
  const line = Math.max(1, (1.6 * 20) / size);
  return (
    <Icon className={entry.isDirectory ? styles.folder : styles.file} size={size} strokeWidth={line} aria-hidden />
  );
}
