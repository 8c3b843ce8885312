/** How something is shown. `text` is the last resort: whatever turns out not to be text says so. */
type PreviewKind = "picture" | "video" | "audio" | "pdf" | "markdown" | "text" | "none";

const EXTENSIONS: Record<Exclude<PreviewKind, "text">, string> = {
  picture: "avif avifs bmp gif heic heif hif ico jfif jpe jpeg jpg jxl pjp pjpeg png svg tif tiff webp",
  video: "avi m4v mkv mov mp4 mpeg mpg ogv webm",
  audio: "aac flac m4a mp3 oga ogg opus wav wma",
  pdf: "pdf",
  markdown: "markdown md mdown",
  none: "7z bin bz2 dmg doc docx exe gz iso odp ods odt ppt pptx rar tar tgz ttf woff woff2 xls xlsx xz zip zst",
};

const BY_EXTENSION = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, all]) => all.split(" ").map((one) => [one, kind as PreviewKind] as const)),
);

/** By the name's extension, as the server chooses the type that it sends. */
export function previewKind(name: string): PreviewKind {
  const dot = name.lastIndexOf(".");
  return (dot >= 0 && BY_EXTENSION.get(name.slice(dot + 1).toLowerCase())) || "text";
}

/** True for text that the editor can open. */
export function isTextual(name: string): boolean {
  const kind = previewKind(name);
  return kind === "text" || kind === "markdown" || name.toLowerCase().endsWith(".svg");
}
