import { useRouter } from "@tanstack/react-router";
import { Download, FolderOpen } from "lucide-react";
import { useMemo } from "react";
import { Button } from "~/controls/Button";
import { DataGrid } from "~/controls/DataGrid";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { useMessages } from "~/messages";
import { archiveAddress, contentAddress, type Entry, save } from "./api";
import { columnsOf } from "./columns";
import styles from "./GuestFolder.module.css";
import { GuestPath } from "./GuestPath";
import { useGuestFolder } from "./query";

const idOf = ({ path }: Entry) => path;
const nameOf = ({ name }: Entry) => name;

type Props = { token: string; path: string; name: string };

/** A folder that a link opens, or one below it. */
export function GuestFolder({ token, path, name }: Props) {
  const { t, formats } = useMessages();
  const router = useRouter();
  const folder = useGuestFolder(token, path);
  const columns = useMemo(() => columnsOf(t, formats, (entry) => save(downloadOf(token, entry))), [t, formats, token]);
  const open = (entry: Entry) => {
    if (entry.isDirectory) void router.navigate({ to: "/s/$token/$", params: { token, _splat: entry.path } });
    else save(contentAddress(token, entry.path));
  };
  const shown = path === "" ? name : path.slice(path.lastIndexOf("/") + 1);
  return (
    <div className={styles.folder}>
      <div className={styles.head}>
        <GuestPath token={token} path={path} name={name} />
        <Button
          look="primary"
          icon={Download}
          isDisabled={folder.items.length === 0}
          onPress={() => save(archiveAddress(token, path, shown))}
        >
          {t("guest.downloadAll")}
        </Button>
      </div>
      <div className={styles.list}>
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
          />
        </ListState>
      </div>
    </div>
  );
}

function downloadOf(token: string, { isDirectory, path, name }: Entry): string {
  return isDirectory ? archiveAddress(token, path, name) : contentAddress(token, path);
}
