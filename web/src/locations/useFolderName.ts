import { useQuery } from "@tanstack/react-query";
import { useMessages } from "~/messages";
import { locationOf, locationsQuery } from "./query";

/** What people call a folder: the top of a location has the location's name. */
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
