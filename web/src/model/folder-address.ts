// The address of a folder's page, and links to such pages.
import { getRouteApi } from "@tanstack/react-router";
import type { FolderOrder, Order, Sort } from "~/api/keys";
import { childPath, parentPath } from "./path";

/** Besides the folder: the order, the text searched for, and what is shown over or beside the list. */
export type FilesSearch = { [K in keyof FolderOrder]?: FolderOrder[K] | undefined } & {
  q?: string | undefined;
  everywhere?: boolean | undefined;
  preview?: string | undefined;
  edit?: boolean | undefined;
  details?: boolean | undefined;
};

const SORTS: readonly Sort[] = ["name", "size", "modified"];
const ORDERS: readonly Order[] = ["asc", "desc"];

/** In an address typed by hand, a name that looks like a number arrives as a number. */
function text(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** Reads the query of an address; unknown values are undefined. */
export function filesSearchOf(search: Record<string, unknown>): FilesSearch {
  return {
    sort: SORTS.find((known) => known === search.sort),
    order: ORDERS.find((known) => known === search.order),
    q: text(search.q),
    everywhere: flag(search.everywhere),
    preview: text(search.preview),
    edit: flag(search.edit),
    details: flag(search.details),
  };
}

const filesRoute = getRouteApi("/signed-in/files");

/** The query of the address, on pages of folders. */
export function useFilesSearch(): FilesSearch {
  return filesRoute.useSearch();
}

/** The order that an address asks for; by name if it names none. */
export function orderOf({ sort = "name", order = "asc" }: Pick<FilesSearch, "sort" | "order">): FolderOrder {
  return { sort, order };
}

/** A link to a folder; the root's address ends with a slash. */
export function folderLink(path: string) {
  return path === "" ? ({ to: "/files/" } as const) : ({ to: "/files/$", params: { _splat: path } } as const);
}

/** The part of a folder's query that a link to another folder keeps. */
export function keptSearch({ sort, order, details }: FilesSearch): FilesSearch {
  return { sort, order, details };
}

/** The value of `preview` for a file: its name, or its whole path after a slash if it lies elsewhere. */
export function previewName(folder: string, path: string): string {
  return parentPath(path) === folder ? path.slice(folder === "" ? 0 : folder.length + 1) : `/${path}`;
}

export function previewPath(folder: string, name: string): string {
  return name.startsWith("/") ? name.slice(1) : childPath(folder, name);
}
