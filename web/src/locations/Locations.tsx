import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useRouterState } from "@tanstack/react-router";
import { Cloud, Folder, HardDrive, type LucideIcon, Server, Trash2 } from "lucide-react";
import { useMessages } from "~/messages";
import { LocationLink } from "./LocationLink";
import styles from "./Locations.module.css";
import { QuotaMeter } from "./QuotaMeter";
import { type Location, locationOf, locationsQuery } from "./query";

const ICONS: Record<Location["kind"], LucideIcon> = {
  own: Folder,
  scoped: Folder,
  shared: HardDrive,
  ftp: Server,
  sftp: Server,
  drive: Cloud,
};

/** Where files are, and how full the account is. */
export function Locations() {
  const { t } = useMessages();
  const { data: locations = [] } = useQuery(locationsQuery);
  const isFiles = useRouterState({ select: (state) => /^\/files(\/|$)/.test(state.location.pathname) });
  const { _splat = "" } = useParams({ strict: false });
  const current = isFiles ? locationOf(locations, _splat) : undefined;
  const shares = locations.filter(({ kind }) => kind === "shared");
  const connectors = locations.filter(({ kind }) => kind !== "own" && kind !== "scoped" && kind !== "shared");
  return (
    <nav className={styles.locations} aria-label={t("locations.title")}>
      <ul>
        <LocationLink path="" icon={Folder} text={t("locations.own")} isCurrent={current?.kind === "own"} />
      </ul>
      <Group title={t("locations.shares")} locations={shares} current={current} />
      <Group title={t("locations.connectors")} locations={connectors} current={current} />
      <ul>
        <li>
          <Link className={styles.link} to="/bin">
            <Trash2 size={18} aria-hidden />
            <span className={styles.name}>{t("bin.title")}</span>
          </Link>
        </li>
      </ul>
      <QuotaMeter />
    </nav>
  );
}

type GroupProps = { title: string; locations: Location[]; current: Location | undefined };

function Group({ title, locations, current }: GroupProps) {
  if (locations.length === 0) return null;
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul>
        {locations.map((one) => (
          <LocationLink
            key={one.path}
            path={one.path.replace(/\/$/, "")}
            icon={ICONS[one.kind]}
            text={one.name}
            isReadOnly={one.readOnly}
            isCurrent={one === current}
          />
        ))}
      </ul>
    </section>
  );
}
