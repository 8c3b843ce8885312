import { useQuery } from "@tanstack/react-query";
import { useMessages } from "~/messages";
import { locationOf, locationsQuery, partsOf } from "~/model/locations";
import { parentPath } from "~/model/path";
import styles from "./FileGrid.module.css";

/** The folder of something that was found elsewhere, as people call it. */
export function usePlace(path: string): string {
  const { t } = useMessages();
  const { data: locations = [] } = useQuery(locationsQuery);
  const isOwn = locationOf(locations, path)?.path === "";
  return [...(isOwn ? [t("locations.own")] : []), ...partsOf(parentPath(path), locations)].join(" / ");
}

export function PlaceText({ path }: { path: string }) {
  const place = usePlace(path);
  return (
    <span className={styles.place} title={place}>
      <bdi>{place}</bdi>
    </span>
  );
}
