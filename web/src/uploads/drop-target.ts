const FILES = "/files";

/** The folder that something is dropped on: a row of one, a link to one, else the one that is open. */
export function folderAt(element: Element | null, open: string): string {
  const row = element?.closest<HTMLElement>("[data-folder]");
  if (row?.dataset.folder !== undefined) return row.dataset.folder;
  const link = element?.closest("a");
  if (!link || (link.pathname !== FILES && !link.pathname.startsWith(`${FILES}/`))) return open;
  return link.pathname.slice(FILES.length).split("/").filter(Boolean).map(decodeURIComponent).join("/");
}
