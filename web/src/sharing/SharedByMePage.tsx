import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Ban, File, Folder, Share2, UserPlus } from "lucide-react";
import { useMemo, useState } from "react";
import { wholeList } from "~/api/cursor-list";
import { Button } from "~/controls/Button";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { FormDialog } from "~/controls/Dialog";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { Page } from "~/controls/Page";
import { RowName } from "~/controls/RowName";
import { showToast } from "~/controls/toast-store";
import { type Formats, joined, type Translate, useMessages } from "~/messages";
import { folderLink } from "~/model/folder-address";
import { nameOf as lastPart, parentPath } from "~/model/path";
import { ShareDialog } from "./ShareDialog";
import { ACCESS_TEXTS, endSharesOf, type GivenShare, grantsOf, sharedByMeQuery } from "./shares";

/** An item with all of its shares. */
type SharedItem = { path: string; isDirectory: boolean; shares: GivenShare[]; since: string };

type OpenDialog = { kind: "share" | "end"; item: SharedItem };

const NONE: readonly never[] = [];
const idOf = ({ path }: SharedItem) => path;
const nameOf = ({ path }: SharedItem) => lastPart(path);

/** By item; the one that was shared last stands first. */
export function itemsOf(shares: readonly GivenShare[]): SharedItem[] {
  const items = new Map<string, SharedItem>();
  for (const share of shares) {
    const { path, isDirectory, createdAt } = share;
    const item = items.get(path) ?? { path, isDirectory, shares: [], since: createdAt };
    item.shares.push(share);
    if (createdAt > item.since) item.since = createdAt;
    items.set(path, item);
  }
  return [...items.values()].toSorted((a, b) => b.since.localeCompare(a.since));
}

function columnsOf(t: Translate, formats: Formats, open: (dialog: OpenDialog) => void): GridColumn<SharedItem>[] {
  const whoText = ({ shares }: SharedItem) => {
    return joined(
      grantsOf(shares).map(({ share, receiver }) =>
        t("sharing.grant", { name: receiver.displayName, access: t(ACCESS_TEXTS[share.access]) }),
      ),
    );
  };
  return [
    {
      id: "name",
      title: t("files.name"),
      cell: (item) => (
        <RowName
          icon={item.isDirectory ? Folder : File}
          isFolder={item.isDirectory}
          name={item.path}
          narrow={whoText(item)}
        />
      ),
    },
    { id: "who", title: t("sharing.sharedWith"), isWide: true, cell: whoText },
    {
      id: "since",
      title: t("sharing.since"),
      width: 200,
      isWide: true,
      cell: ({ since }) => formats.dateTime(since),
    },
    {
      id: "actions",
      title: t("files.actions"),
      width: 112,
      isForButtons: true,
      cell: (item) => (
        <>
          <Button look="quiet" icon={UserPlus} iconOnly onPress={() => open({ kind: "share", item })}>
            {t("sharing.manage")}
          </Button>
          <Button look="quiet" icon={Ban} iconOnly onPress={() => open({ kind: "end", item })}>
            {t("sharing.end")}
          </Button>
        </>
      ),
    },
  ];
}

/** The page of what the account shares with people and groups. */
export function SharedByMePage() {
  const { t, formats } = useMessages();
  const router = useRouter();
  const client = useQueryClient();
  const query = useQuery(sharedByMeQuery);
  const [dialog, open] = useState<OpenDialog | null>(null);
  const columns = useMemo(() => columnsOf(t, formats, open), [t, formats]);
  const items = useMemo(() => itemsOf(query.data ?? NONE), [query.data]);
  const end = async ({ path }: SharedItem) => {
    await endSharesOf(client, path);
    showToast({ text: t("sharing.ended", { name: lastPart(path) }) });
  };
  const show = ({ path, isDirectory }: SharedItem) => {
    void router.navigate(folderLink(isDirectory ? path : parentPath(path)));
  };
  return (
    <Page title={t("locations.sharedByMe")} intro={t("sharing.byMeIntro")}>
      <ListState
        list={{ ...wholeList(query), items }}
        empty={<EmptyState icon={Share2} title={t("sharing.byMeNone")} hint={t("links.noneHint")} />}
      >
        <DataGrid
          label={t("locations.sharedByMe")}
          columns={columns}
          items={items}
          idOf={idOf}
          nameOf={nameOf}
          onOpen={show}
        />
      </ListState>
      {dialog?.kind === "share" && (
        <ShareDialog
          path={dialog.item.path}
          name={nameOf(dialog.item)}
          isDirectory={dialog.item.isDirectory}
          onClose={() => open(null)}
        />
      )}
      {dialog?.kind === "end" && (
        <FormDialog
          isDanger
          title={t("sharing.endTitle", { name: nameOf(dialog.item) })}
          submit={t("sharing.end")}
          onClose={() => open(null)}
          onSubmit={() => end(dialog.item)}
        >
          <p>{t("sharing.endText")}</p>
        </FormDialog>
      )}
    </Page>
  );
}
