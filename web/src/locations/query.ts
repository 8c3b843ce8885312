import { queryOptions } from "@tanstack/react-query";
import { answerOf, v1 } from "~/api/client";
import { keys } from "~/api/keys";
import type { components } from "~/api/v1";

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
