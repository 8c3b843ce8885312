import { File, Folder } from "lucide-react";
import type { GridColumn } from "~/controls/DataGrid";
import { RowName } from "~/controls/RowName";
import { type Formats, joined, type Translate } from "~/messages";
import type { BinItem } from "./query";

export function nameOf({ path }: BinItem): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function originOf({ path }: BinItem, t: Translate): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? t("locations.own") : path.slice(0, slash);
}

export function columnsOf(t: Translate, formats: Formats): GridColumn<BinItem>[] {
  const sizeOf = ({ size }: BinItem) => (size === null ? "" : formats.size(size));
  const leftOf = ({ daysLeft }: BinItem) => t("bin.days", { count: daysLeft });
  return [
    {
      id: "name",
      title: t("files.name"),
      cell: (item) => (
        <RowName
          icon={item.isDirectory ? Folder : File}
          isFolder={item.isDirectory}
          name={nameOf(item)}
          narrow={joined([originOf(item, t), leftOf(item)])}
        />
      ),
    },
    { id: "origin", title: t("bin.origin"), isWide: true, cell: (item) => <bdi>{originOf(item, t)}</bdi> },
    {
      id: "deleted",
      title: t("bin.deleted"),
      width: 200,
      isWide: true,
      cell: (item) => formats.dateTime(item.deletedAt),
    },
    { id: "left", title: t("bin.left"), width: 96, isWide: true, cell: leftOf },
    { id: "size", title: t("files.size"), width: 96, align: "end", cell: sizeOf },
  ];
}
