import type { Location } from "~/locations";

/** How people know a folder: the path of a mount begins with its identifier, and is shown with its name. */
export function folderName(path: string, locations: readonly Location[]): string {
  const mount = locations.find(({ path: prefix }) => prefix !== "" && `${path}/`.startsWith(prefix));
  if (!mount) return path;
  return [mount.name, path.slice(mount.path.length)].filter(Boolean).join("/");
}
