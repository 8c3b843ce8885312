import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Cloud, Folder, HardDrive, type LucideIcon, Server, Trash2 } from "lucide-react";
import { useMessages } from "~/messages";
import { LocationLink } from "./LocationLink";
import styles from "./Locations.module.css";
import { QuotaMeter } from "./QuotaMeter";
import { type Location, locationsQuery } from "./query";

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
  const shares = locations.filter(({ kind }) => kind === "shared");
  const connectors = locations.filter(({ kind }) => kind === "ftp" || kind === "sftp" || kind === "drive");
  return (
    <nav className={styles.locations} aria-label={t("locations.title")}>
      <ul>
        <LocationLink path="" icon={Folder} text={t("locations.own")} />
      </ul>
      <Group title={t("locations.shares")} locations={shares} />
      <Group title={t("locations.connectors")} locations={connectors} />
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

function Group({ title, locations }: { title: string; locations: Location[] }) {
  if (locations.length === 0) return null;
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul>
        {locations.map(({ path, kind, name }) => (
          <LocationLink key={path} path={path.replace(/\/$/, "")} icon={ICONS[kind]} text={name} />
        ))}
      </ul>
    </section>
  );
}
