import type { Entry } from "./entries";

/** Lets the browser take it: the content of one file, else an archive of all. */
export function download(entries: readonly Entry[], folder: string): void {
  const [only] = entries;
  if (!only) return;
  const isFile = entries.length === 1 && !only.isDirectory;
  const query = new URLSearchParams();
  if (!isFile && entries.length > 1 && folder !== "") query.set("name", folder.slice(folder.lastIndexOf("/") + 1));
  for (const { path } of entries) query.append("path", path);
  const link = document.createElement("a");
  link.href = `${isFile ? "/api/v2/files/content" : "/api/v2/archive"}?${query}`;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}
