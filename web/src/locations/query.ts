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

/** The location that a path lies in, by its first component; undefined for one that is gone. */
export function locationOf(locations: readonly Location[], path: string): Location | undefined {
  const mount = locations.find(({ path: prefix }) => prefix !== "" && `${path}/`.startsWith(prefix));
  const isMount = /^__(adm|conn)_/.test(path);
  return mount ?? (isMount ? undefined : locations.find(({ kind }) => kind === "own"));
}

/** A folder's name for people: the top of a location has the location's name. */
export function useFolderName(): (path: string) => string {
  const { t } = useMessages();
  const { data: locations = [] } = useQuery(locationsQuery);
  return (path) => {
    if (path === "") return t("locations.own");
    const location = locationOf(locations, path);
    const isTop = location !== undefined && location.path.replace(/\/$/, "") === path;
    return isTop ? location.name : path.slice(path.lastIndexOf("/") + 1);
  };
}

/** True for a folder where the account may only read. */
export function useIsReadOnly(path: string): boolean {
  const { data: locations = [] } = useQuery(locationsQuery);
  return locationOf(locations, path)?.readOnly ?? false;
}
