import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { PageTitle } from "~/controls/PageTitle";
import { useMessages } from "~/messages";
import { folderLink, keptSearch } from "~/model/folder-address";
import { locationsQuery, partsOf, useIsReadOnly } from "~/model/locations";
import { ancestors } from "~/model/path";
import { useFolderDrop } from "~/transfer/drag";
import styles from "./PathBar.module.css";

/** The folders on the way here. */
export function PathBar({ path }: { path: string }) {
  const { t } = useMessages();
  const { data: locations = [] } = useQuery(locationsQuery);
  const names = partsOf(path, locations);
  const steps = ancestors(path).map((step, index) => ({ path: step, text: names[index] ?? "" }));
  const all = [{ path: "", text: t("locations.own") }, ...steps];
  return (
    <nav className={styles.bar} aria-label={t("files.path")}>
      <PageTitle text={all.at(-1)?.text ?? ""} isHeading />
      <ol className={styles.steps}>
        {all.map((step, index) => (
          <li key={step.path} className={styles.step}>
            {index > 0 && <ChevronRight className={styles.between} size={16} aria-hidden />}
            <StepLink path={step.path} text={step.text} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** It takes what is dragged onto it, too. */
function StepLink({ path, text }: { path: string; text: string }) {
  const drop = useFolderDrop(path, !useIsReadOnly(path));
  return (
    <Link
      className={styles.link}
      {...folderLink(path)}
      {...drop.props}
      data-target={drop.isTarget || undefined}
      search={keptSearch}
      activeOptions={{ exact: true, includeSearch: false }}
    >
      <bdi>{text}</bdi>
    </Link>
  );
}
