import { Link, useRouter } from "@tanstack/react-router";
import { ChevronRight, Download, File, Folder, FolderOpen } from "lucide-react";
import { useMemo } from "react";
import { Button } from "~/controls/Button";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { RowName } from "~/controls/RowName";
import { type Formats, joined, type Translate, useMessages } from "~/messages";
import { archiveAddress, contentAddress, type Entry, save, useGuestFolder } from "./api";
import styles from "./GuestFolder.module.css";
import { useFocusOnce } from "./useFocusOnce";

const idOf = ({ path }: Entry) => path;
const nameOf = ({ name }: Entry) => name;

type Props = {
  token: string;
  path: string;
  /** The folder in it that one came from. */
  wayBack: string | undefined;
  name: string;
  isUsedUp: boolean;
};

/** A folder that a link opens, or one below it. */
export function GuestFolder({ token, path, wayBack, name, isUsedUp }: Props) {
  const { t, formats } = useMessages();
  const router = useRouter();
  const folder = useGuestFolder(token, path);
  const goesBack = folder.items.some((entry) => entry.path === wayBack);
  const first = goesBack ? wayBack : folder.items[0]?.path;
  const takeFocus = useFocusOnce();
  const columns = useMemo(
    () => columnsOf(t, formats, isUsedUp ? null : (entry) => save(downloadOf(token, entry))),
    [t, formats, token, isUsedUp],
  );
  const open = (entry: Entry) => {
    if (entry.isDirectory) void router.navigate({ to: "/s/$token/$", params: { token, _splat: entry.path } });
    else if (!isUsedUp) save(contentAddress(token, entry.path));
  };
  const shown = path === "" ? name : path.slice(path.lastIndexOf("/") + 1);
  return (
    <div className={styles.folder}>
      <div className={styles.head}>
        <GuestPath token={token} path={path} name={name} />
        <Button
          look="primary"
          icon={Download}
          isDisabled={folder.items.length === 0 || isUsedUp}
          onPress={() => save(archiveAddress(token, path, shown))}
        >
          {t("guest.downloadAll")}
        </Button>
      </div>
      <div className={styles.list}>
        {isUsedUp && (
          <p className={styles.usedUp} role="status">
            {joined([t("guest.usedUp"), t("guest.usedUpHint")])}
          </p>
        )}
        <ListState
          list={folder}
          empty={<EmptyState icon={FolderOpen} title={t("files.empty")} hint={t("guest.emptyHint")} />}
        >
          <DataGrid
            label={t("files.title")}
            columns={columns}
            items={folder.items}
            idOf={idOf}
            nameOf={nameOf}
            onOpen={open}
            onShown={({ path }, row) => path === first && takeFocus(row)}
          />
        </ListState>
      </div>
    </div>
  );
}

function downloadOf(token: string, { isDirectory, path, name }: Entry): string {
  return isDirectory ? archiveAddress(token, path, name) : contentAddress(token, path);
}

/** The folders on the way here, from the one that is shared. */
function GuestPath({ token, path, name }: { token: string; path: string; name: string }) {
  const { t } = useMessages();
  const parts = path.split("/").filter(Boolean);
  const below = parts.map((part, index) => ({ text: part, path: parts.slice(0, index + 1).join("/") }));
  return (
    <nav className={styles.path} aria-label={t("files.path")}>
      <ol className={styles.steps}>
        <li className={styles.step}>
          <Link className={styles.link} to="/s/$token" params={{ token }} activeOptions={{ exact: true }}>
            <bdi>{name}</bdi>
          </Link>
        </li>
        {below.map((step) => (
          <li key={step.path} className={styles.step}>
            <ChevronRight className={styles.between} size={16} aria-hidden />
            <Link
              className={styles.link}
              to="/s/$token/$"
              params={{ token, _splat: step.path }}
              activeOptions={{ exact: true }}
            >
              <bdi>{step.text}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function columnsOf(
  t: Translate,
  formats: Formats,
  download: ((entry: Entry) => void) | null,
): GridColumn<Entry>[] {
  return [
    {
      id: "name",
      title: t("files.name"),
      cell: (entry) => (
        <RowName
          icon={entry.isDirectory ? Folder : File}
          isFolder={entry.isDirectory}
          name={entry.name}
          narrow={formats.dateTime(entry.modifiedAt)}
        />
      ),
    },
    {
      id: "modified",
      title: t("files.modified"),
      width: 200,
      isWide: true,
      cell: (entry) => formats.dateTime(entry.modifiedAt),
    },
    {
      id: "size",
      title: t("files.size"),
      width: 88,
      align: "end",
      cell: (entry) => (entry.isDirectory ? "" : formats.size(entry.size)),
    },
    {
      id: "download",
      title: t("files.actions"),
      width: 72,
      isForButtons: true,
      cell: (entry) => (
        <Button look="quiet" icon={Download} iconOnly isDisabled={download === null} onPress={() => download?.(entry)}>
          {t("guest.downloadOne", { name: entry.name })}
        </Button>
      ),
    },
  ];
}
