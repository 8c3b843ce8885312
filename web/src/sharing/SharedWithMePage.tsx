import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { File, Folder, HardDrive, Users } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { wholeList } from "~/api/cursor-list";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { Page } from "~/controls/Page";
import { Mark, RowName } from "~/controls/RowName";
import { type Formats, joined, type Translate, useMessages } from "~/messages";
import { folderLink } from "~/model/folder-address";
import { type Location, locationsQuery } from "~/model/locations";
import { LeaveButton } from "./LeaveButton";
import { isNew, useSeenUntil } from "./new-shares";
import { ACCESS_TEXTS, type Share, sharedWithMeQuery } from "./shares";

/** What somebody shares, or a folder of the server that an administrator shares. */
type Received = { location: string; name: string; share: Share | null; readOnly: boolean };

const NONE: readonly never[] = [];
const idOf = ({ location }: Received) => location;
const nameOf = ({ name }: Received) => name;

/** Shares of people first, the latest at the top, then those of administrators. */
export function receivedOf(shares: readonly Share[], locations: readonly Location[]): Received[] {
  const ofPeople = new Set(shares.map(({ location }) => location));
  const ofServer = locations.filter(({ kind, path }) => kind === "shared" && !ofPeople.has(path));
  return [
    ...shares.map((share) => ({ location: share.location, name: share.name, share, readOnly: false })),
    ...ofServer.map(({ path, name, readOnly }) => ({ location: path, name, share: null, readOnly })),
  ];
}

/** The page of a folder, or the folder that a shared file stands in alone, with its preview. */
function linkTo({ location, name, share }: Pick<Received, "location" | "name" | "share">) {
  const folder = folderLink(location.replace(/\/$/, ""));
  return share?.isDirectory === false ? { ...folder, search: { preview: name } } : folder;
}

function columnsOf(t: Translate, formats: Formats, seenUntil: string): GridColumn<Received>[] {
  const ownerOf = ({ share }: Received) => share?.owner.displayName ?? t("sharing.administrator");
  const accessOf = ({ share, readOnly }: Received) => t(ACCESS_TEXTS[share?.access ?? (readOnly ? "read" : "write")]);
  return [
    {
      id: "name",
      title: t("files.name"),
      cell: (one) => (
        <RowName
          icon={one.share === null ? HardDrive : one.share.isDirectory ? Folder : File}
          isFolder={one.share?.isDirectory ?? true}
          name={one.name}
          narrow={joined([ownerOf(one), accessOf(one)])}
        >
          {one.share && isNew(one.share, seenUntil) && <Mark>{t("sharing.new")}</Mark>}
        </RowName>
      ),
    },
    { id: "owner", title: t("sharing.sharedBy"), isWide: true, cell: (one) => <bdi>{ownerOf(one)}</bdi> },
    { id: "access", title: t("sharing.access"), width: 144, isWide: true, cell: accessOf },
    {
      id: "since",
      title: t("sharing.since"),
      width: 200,
      isWide: true,
      cell: ({ share }) => (share ? formats.dateTime(share.createdAt) : ""),
    },
    {
      id: "actions",
      title: t("files.actions"),
      width: 64,
      isForButtons: true,
      cell: ({ share }) => share && <LeaveButton share={share} iconOnly />,
    },
  ];
}

/** The page of what others share with the account. */
export function SharedWithMePage() {
  const { t, formats } = useMessages();
  const router = useRouter();
  const query = useQuery(sharedWithMeQuery);
  const { data: locations = NONE } = useQuery(locationsQuery);
  const shares = query.data ?? NONE;
  const [seenUntil, see] = useSeenUntil();
  // What was new when the page was opened stays marked as long as that is open.
  const [markedFrom] = useState(seenUntil);
  const latest = shares[0]?.createdAt ?? "";
  useEffect(() => {
    if (latest > seenUntil) see(latest);
  }, [latest, seenUntil, see]);
  const columns = useMemo(() => columnsOf(t, formats, markedFrom), [t, formats, markedFrom]);
  const received = useMemo(() => receivedOf(shares, locations), [shares, locations]);
  return (
    <Page title={t("locations.shares")} intro={t("sharing.withMeIntro")}>
      <ListState
        list={{ ...wholeList(query), items: received }}
        empty={<EmptyState icon={Users} title={t("sharing.withMeNone")} hint={t("sharing.withMeNoneHint")} />}
      >
        <DataGrid
          label={t("locations.shares")}
          columns={columns}
          items={received}
          idOf={idOf}
          nameOf={nameOf}
          onOpen={(one) => void router.navigate(linkTo(one))}
        />
      </ListState>
    </Page>
  );
}
