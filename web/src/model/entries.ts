import type { Schemas } from "~/api/client";
import type { Translate } from "~/messages";

export type Entry = Schemas["FileEntry"];
/** The entries of a folder; not whole while further ones are still to come. */
export type FolderList = {
  entries: Entry[];
  hasBin: boolean;
  hasVersions: boolean;
  leftOut: number;
  isWhole: boolean;
};

/** The top of a share or connector stays where it is. */
export function canChange({ mount, readOnly }: Entry): boolean {
  return mount === null && !readOnly;
}

/** An item's kind in few letters: the part after the last dot of its name. */
export function kindText({ name, isDirectory }: Entry, t: Translate): string {
  if (isDirectory) return t("files.folder");
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= 6 ? name.slice(dot + 1).toUpperCase() : t("files.file");
}
