import { useQuery } from "@tanstack/react-query";
import { Copy, File, Folder, Link2, Link2Off } from "lucide-react";
import { useMemo, useState } from "react";
import { wholeList } from "~/api/cursor-list";
import { Button } from "~/controls/Button";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { FormDialog } from "~/controls/Dialog";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { Page } from "~/controls/Page";
import { RowName } from "~/controls/RowName";
import { type Formats, joined, type Translate, useMessages } from "~/messages";
import { type Link, linksQuery } from "~/model/links";
import { type Location, locationsQuery, partsOf } from "~/model/locations";
import { factsOf, useLinkCommands } from "./query";
import { UploadsUnderWay } from "./UploadsUnderWay";

const NONE: Location[] = [];
const idOf = ({ id }: Link) => id;

type Commands = { pathOf: (link: Link) => string; copy: (link: Link) => void; end: (link: Link) => void };

function columnsOf(t: Translate, formats: Formats, { pathOf, copy, end }: Commands): GridColumn<Link>[] {
  const factsText = (link: Link) => joined(factsOf(link, t, formats));
  return [
    {
      id: "name",
      title: t("files.name"),
      cell: (link) => (
        <RowName
          icon={link.isDirectory ? Folder : File}
          isFolder={link.isDirectory}
          name={pathOf(link)}
          narrow={factsText(link)}
        />
      ),
    },
    { id: "facts", title: t("links.bounds"), isWide: true, cell: factsText },
    {
      id: "used",
      title: t("links.lastUsed"),
      width: 200,
      isWide: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t("links.never") : formats.dateTime(lastUsedAt)),
    },
    {
      id: "actions",
      title: t("files.actions"),
      width: 112,
      isForButtons: true,
      cell: (link) => (
        <>
          <Button look="quiet" icon={Copy} iconOnly isDisabled={link.token === null} onPress={() => copy(link)}>
            {t("links.copy")}
          </Button>
          <Button look="quiet" icon={Link2Off} iconOnly onPress={() => end(link)}>
            {t("links.end")}
          </Button>
        </>
      ),
    },
  ];
}

/** The page of the account's share links. */
export function LinksPage() {
  const { t, formats } = useMessages();
  const query = useQuery(linksQuery);
  const commands = useLinkCommands();
  const [ending, setEnding] = useState<Link | null>(null);
  const { data: locations = NONE } = useQuery(locationsQuery);
  const nameOf = ({ path }: Link) => partsOf(path, locations).at(-1) ?? "";
  const links = query.data ?? [];
  const { copy } = commands;
  const columns = useMemo(
    () =>
      columnsOf(t, formats, {
        pathOf: ({ path }) => partsOf(path, locations).join("/"),
        copy: (link) => void copy(link),
        end: setEnding,
      }),
    [t, formats, copy, locations],
  );
  return (
    <Page title={t("links.title")} intro={t("links.intro")}>
      <ListState
        list={wholeList(query)}
        empty={<EmptyState icon={Link2} title={t("links.none")} hint={t("links.noneHint")} />}
      >
        <DataGrid label={t("links.title")} columns={columns} items={links} idOf={idOf} nameOf={nameOf} />
      </ListState>
      <UploadsUnderWay locations={locations} />
      {ending && (
        <FormDialog
          isDanger
          title={t("links.endTitle")}
          submit={t("links.end")}
          onClose={() => setEnding(null)}
          onSubmit={() => commands.end(ending)}
        >
          <p>{t("links.endText", { name: nameOf(ending) })}</p>
        </FormDialog>
      )}
    </Page>
  );
}
