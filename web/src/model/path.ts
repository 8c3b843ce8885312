// Virtual paths of the API: components between slashes, the root is empty.

/** The path of something in a folder. */
export function childPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

export function parentPath(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The folder that an address names: slashes at its ends and twice in a row say nothing. */
export function folderOf(splat: string | undefined): string {
  return (splat ?? "").split("/").filter(Boolean).join("/");
}

/** Every folder on the way to a path, itself last. */
export function ancestors(path: string): string[] {
  const parts = path.split("/").filter(Boolean);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** True if it is the folder itself or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "" || path.startsWith(`${folder}/`);
}

/** How much of a name stands before its extension; all of it where it has none, as `.profile`. */
export function stemLength(name: string, isDirectory: boolean): number {
  const dot = name.lastIndexOf(".");
  return isDirectory || dot <= 0 ? name.length : dot;
}

const MOST_NAME_BYTES = 255;

/** Why a name would be refused, as a message's key; null where the server will take it. */
export function nameProblem(name: string): "files.nameEmpty" | "files.nameForbidden" | "files.nameTooLong" | null {
  if (name === "") return "files.nameEmpty";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[/\\\u0000-\u001f\u007f]/.test(name) || name === "." || name === "..") return "files.nameForbidden";
  return new TextEncoder().encode(name).length > MOST_NAME_BYTES ? "files.nameTooLong" : null;
}
