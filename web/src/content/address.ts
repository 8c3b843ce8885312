import { at } from "~/platform/base";
/** The address of a file's content, for elements that fetch it themselves. The server forbids scripts in it. */
export function contentAddress(path: string, disposition: "inline" | "attachment" = "inline"): string {
  return at(`/api/v2/files/content?${new URLSearchParams({ path, disposition })}`);
}

/** The address of a thumbnail. `version` changes with the file, so that the browser shows no old one. */
export function thumbnailAddress(path: string, size: 64 | 256 | 1024, version: string): string {
  return at(`/api/v2/thumbnails?${new URLSearchParams({ path, size: String(size) })}#${version}`);
}
