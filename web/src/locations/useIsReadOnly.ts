import { useQuery } from "@tanstack/react-query";
import { locationOf, locationsQuery } from "./query";

/** Whether a folder lies where the account may only read. */
export function useIsReadOnly(path: string): boolean {
  const { data: locations = [] } = useQuery(locationsQuery);
  return locationOf(locations, path)?.readOnly ?? false;
}
