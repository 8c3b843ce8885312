import { Download, File, Folder } from "lucide-react";
import { Button } from "~/controls/Button";
import type { GridColumn } from "~/controls/DataGrid";
import { RowName } from "~/controls/RowName";
import type { Formats, Translate } from "~/messages";
import type { Entry } from "./api";

export function columnsOf(t: Translate, formats: Formats, download: (entry: Entry) => void): GridColumn<Entry>[] {
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
        <Button look="quiet" icon={Download} iconOnly onPress={() => download(entry)}>
          {t("guest.downloadOne", { name: entry.name })}
        </Button>
      ),
    },
  ];
}
