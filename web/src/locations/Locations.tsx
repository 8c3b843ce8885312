import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams, useRouterState } from "@tanstack/react-router";
import { Cloud, Folder, HardDrive, type LucideIcon, Server, Share2, Trash2, Users } from "lucide-react";
import { answerOf, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import { sessionQuery, useAccount } from "~/api/session";
import { Meter } from "~/controls/Meter";
import { useMessages } from "~/messages";
import { folderLink } from "~/model/folder-address";
import { type Location, locationOf, locationsQuery } from "~/model/locations";
import { type News, newShares } from "~/model/new-shares";
import { useFolderDrop } from "~/transfer/drag";
import styles from "./Locations.module.css";

const ICONS: Record<Location["kind"], LucideIcon> = {
  own: Folder,
  scoped: Folder,
  shared: HardDrive,
  ftp: Server,
  sftp: Server,
  drive: Cloud,
};

/** What a link to a page is described by. */
const NEWS = "new-shares";

/** Where files are, and how full the account is. */
export function Locations() {
  const { t } = useMessages();
  const { data: locations = [] } = useQuery(locationsQuery);
  const isFiles = useRouterState({ select: (state) => /^\/files(\/|$)/.test(state.location.pathname) });
  const { _splat = "" } = useParams({ strict: false });
  const current = isFiles ? locationOf(locations, _splat) : undefined;
  const news = newShares.use();
  const shares = locations.filter(({ kind }) => kind === "shared");
  const connectors = locations.filter(({ kind }) => kind !== "own" && kind !== "scoped" && kind !== "shared");
  return (
    <nav className={styles.locations} aria-label={t("locations.title")}>
      <ul>
        <LocationLink path="" icon={Folder} text={t("locations.own")} isCurrent={current?.kind === "own"} />
      </ul>
      <ul>
        <PageLink to="/shared-with-me" icon={Users} text={t("locations.shares")} news={news} />
        {shares.length > 0 && (
          <li>
            <ul className={styles.inner} aria-label={t("locations.shares")}>
              <LocationLinks locations={shares} current={current} />
            </ul>
          </li>
        )}
        <PageLink to="/shared-by-me" icon={Share2} text={t("locations.sharedByMe")} />
      </ul>
      <Group title={t("locations.connectors")} locations={connectors} current={current} />
      <ul>
        <PageLink to="/bin" icon={Trash2} text={t("bin.title")} />
      </ul>
      <QuotaMeter />
    </nav>
  );
}

type PageLinkProps = {
  to: "/bin" | "/shared-by-me" | "/shared-with-me";
  icon: LucideIcon;
  text: string;
  news?: News | null;
};

function PageLink({ to, icon: Icon, text, news }: PageLinkProps) {
  return (
    <li>
      <Link className={styles.link} to={to} {...(news && { "aria-describedby": NEWS })}>
        <Icon size={18} aria-hidden />
        <span className={styles.name}>{text}</span>
        {news && (
          <span className={styles.mark} title={news.text} aria-hidden>
            {news.count}
          </span>
        )}
      </Link>
      {news && (
        <span id={NEWS} hidden>
          {news.text}
        </span>
      )}
    </li>
  );
}

type LinksProps = { locations: Location[]; current: Location | undefined };

function LocationLinks({ locations, current }: LinksProps) {
  return locations.map((one) => (
    <LocationLink
      key={one.path}
      path={one.path.replace(/\/$/, "")}
      icon={ICONS[one.kind]}
      text={one.name}
      title={one.target}
      isReadOnly={one.readOnly}
      isCurrent={one === current}
    />
  ));
}

function Group({ title, locations, current }: LinksProps & { title: string }) {
  if (locations.length === 0) return null;
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul>
        <LocationLinks locations={locations} current={current} />
      </ul>
    </section>
  );
}

type Props = {
  path: string;
  icon: LucideIcon;
  text: string;
  /** Whose it is, or where it leads. */
  title?: string;
  isReadOnly?: boolean;
  /** The page shows something in it. */
  isCurrent: boolean;
};

function LocationLink({ path, icon: Icon, text, title, isReadOnly = false, isCurrent }: Props) {
  const drop = useFolderDrop(path, !isReadOnly);
  return (
    <li>
      <Link
        className={styles.link}
        title={title}
        {...folderLink(path)}
        {...drop.props}
        data-target={drop.isTarget || undefined}
        data-current={isCurrent || undefined}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        <Icon size={18} aria-hidden />
        <span className={styles.name}>{text}</span>
      </Link>
    </li>
  );
}

/** How much of the account's own storage is used. */
function QuotaMeter() {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const { data: account } = useQuery({
    queryKey: keys.account,
    queryFn: () => answerOf(v2.GET("/api/v2/account")),
    // The session says the same, as of when it was asked for.
    initialData: useAccount(),
    initialDataUpdatedAt: () => client.getQueryState(sessionQuery.queryKey)?.dataUpdatedAt,
  });
  const used = formats.size(account.storageUsed);
  const limit = account.storageLimit;
  const text = limit > 0 ? t("locations.usedOf", { used, limit: formats.size(limit) }) : t("locations.used", { used });
  return (
    <div className={styles.quota}>
      {limit > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: the element of that name takes no look of ours
        <div
          role="meter"
          aria-label={t("locations.storage")}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(account.storageUsed, limit)}
          aria-valuetext={text}
        >
          <Meter share={account.storageUsed / limit} />
        </div>
      )}
      <p>{text}</p>
    </div>
  );
}
