import type { Schemas } from "~/api/client";

export type Entry = Schemas["FileEntry"];
export type FolderPage = Schemas["FolderPage"];

/** The top of a share or connector stays where it is. */
export function canChange({ mount, readOnly }: Entry): boolean {
  return mount === null && !readOnly;
}
