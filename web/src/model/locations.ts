import { queryOptions, useQuery } from "@tanstack/react-query";
import { answerOf, v1 } from "~/api/client";
import { keys } from "~/api/keys";
import type { components } from "~/api/v1";
import { useMessages } from "~/messages";

export type Location = components["schemas"]["Location"];

/** Where the account's files are: its own, shares and connectors. */
export const locationsQuery = queryOptions({
  queryKey: keys.locations,
  queryFn: async (): Promise<Location[]> => (await answerOf(v1.GET("/api/v1/locations"))).data,
  staleTime: 60_000,
});

/** True for a path in a share or connector. */
function isMount(path: string): boolean {
  return /^__(adm|conn)_/.test(path);
}

/** The location that a path lies in, by its first component; undefined for one that is gone. */
export function locationOf(locations: readonly Location[], path: string): Location | undefined {
  const mount = locations.find(({ path: prefix }) => prefix !== "" && `${path}/`.startsWith(prefix));
  return mount ?? (isMount(path) ? undefined : locations.find(({ kind }) => kind === "own"));
}

/** A path's components as people know them: a share or connector stands in paths by its identifier. */
export function partsOf(path: string, locations: readonly Location[]): string[] {
  const [top = "", ...rest] = path.split("/");
  if (!isMount(top)) return path === "" ? [] : [top, ...rest];
  return [locationOf(locations, path)?.name ?? "…", ...rest];
}

/** The name of a folder or file for people. */
export function useFolderName(): (path: string) => string {
  const { t } = useMessages();
  const { data: locations = [] } = useQuery(locationsQuery);
  return (path) => partsOf(path, locations).at(-1) ?? t("locations.own");
}

/** True for a folder where the account may only read. */
export function useIsReadOnly(path: string): boolean {
  const { data: locations = [] } = useQuery(locationsQuery);
  return locationOf(locations, path)?.readOnly ?? false;
}
