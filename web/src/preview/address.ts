import { childPath, parentPath } from "~/files";

/** How the address of a folder names what is shown over it: by name, or by its whole path after a slash. */
export function previewName(folder: string, path: string): string {
  return parentPath(path) === folder ? path.slice(folder === "" ? 0 : folder.length + 1) : `/${path}`;
}

export function previewPath(folder: string, name: string): string {
  return name.startsWith("/") ? name.slice(1) : childPath(folder, name);
}

/** The file itself, for elements that fetch it by themselves. The server lets a browser run nothing of it. */
export function contentAddress(path: string, disposition: "inline" | "attachment" = "inline"): string {
  return `/api/v2/files/content?${new URLSearchParams({ path, disposition })}`;
}

/** A small picture of it. `version` changes with the file, so that an old one is not shown. */
export function thumbnailAddress(path: string, size: 64 | 256 | 1024, version: string): string {
  return `/api/v2/thumbnails?${new URLSearchParams({ path, size: String(size) })}#${version}`;
}
