import type { FilesSearch } from "~/routes";

/** Where a link to a folder leads; for the root the address ends with a slash. */
export function folderLink(path: string) {
  return path === "" ? ({ to: "/files/" } as const) : ({ to: "/files/$", params: { _splat: path } } as const);
}

/** What stays of a folder's address on the way to another one: its order and the panel beside it. */
export function keptSearch({ sort, order, details }: FilesSearch): FilesSearch {
  return { sort, order, details };
}
