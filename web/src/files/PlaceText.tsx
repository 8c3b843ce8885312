import { useQuery } from "@tanstack/react-query";
import { locationOf, locationsQuery } from "~/locations/query";
import { useMessages } from "~/messages";
import { ancestors, nameOf, parentPath } from "~/model/path";
import styles from "./FileGrid.module.css";

/** The folder of something that was found elsewhere, as people call it. */
export function usePlace(path: string): string {
  const { t } = useMessages();
  const { data: locations = [] } = useQuery(locationsQuery);
  const folder = parentPath(path);
  const location = locationOf(locations, path);
  const steps = ancestors(folder).map(nameOf);
  // A share or connector stands in paths by its identifier.
  if (location && location.path !== "") steps[0] = location.name;
  else steps.unshift(t("locations.own"));
  return steps.join(" / ");
}

export function PlaceText({ path }: { path: string }) {
  const place = usePlace(path);
  return (
    <span className={styles.place} title={place}>
      <bdi>{place}</bdi>
    </span>
  );
}
