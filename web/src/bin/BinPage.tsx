import { useQuery, useQueryClient } from "@tanstack/react-query";
import { File, Folder, RotateCcw, Trash2 } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { Selection } from "react-aria-components";
import { Button } from "~/controls/Button";
import { ContextMenu } from "~/controls/ContextMenu";
import { DataGrid, type GridColumn } from "~/controls/DataGrid";
import { FormDialog } from "~/controls/Dialog";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { Page } from "~/controls/Page";
import { RowName } from "~/controls/RowName";
import type { MenuPlace } from "~/controls/useContextMenu";
import { type Formats, joined, type Translate, useMessages } from "~/messages";
import { type Location, locationsQuery, partsOf } from "~/model/locations";
import { parentPath } from "~/model/path";
import { BinActions, type BinItem, useBin } from "./actions";
import styles from "./BinPage.module.css";

const NONE: Location[] = [];
const idOf = ({ id }: BinItem) => id;

/** The page of the bin. */
export function BinPage() {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const bin = useBin();
  const { data: locations = NONE } = useQuery(locationsQuery);
  const actions = useMemo(() => new BinActions(client, t), [client, t]);
  const columns = useMemo(() => columnsOf(t, formats, locations), [t, formats, locations]);
  const [selection, select] = useState<Selection>(new Set());
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [dialog, setDialog] = useState<OpenBinDialog | null>(null);
  const selected = bin.items.filter(({ id }) => selection === "all" || selection.has(id));
  // All of the bin, of which some is not shown yet.
  const isAll = selection === "all" && bin.hasMore;
  const isBusy = useRef(false);
  const restore = async () => {
    // All of the bin is asked for first: until then it looks as if nothing had happened.
    if (isBusy.current) return;
    isBusy.current = true;
    if (await actions.restore(isAll ? "all" : selected)) select(new Set());
    isBusy.current = false;
  };
  const discard = () => setDialog(isAll ? { kind: "empty" } : { kind: "discard", items: selected });
  const openMenu = (place: MenuPlace) => {
    if (selection !== "all" && !selection.has(place.key)) select(new Set([place.key]));
    setMenu(place);
  };
  const hasSome = selected.length > 0;
  return (
    <Page
      title={t("bin.title")}
      intro={t("bin.intro")}
      actions={
        <Button isDisabled={bin.items.length === 0} onPress={() => setDialog({ kind: "empty" })}>
          {t("bin.empty")}
        </Button>
      }
      toolbar={
        <div className={styles.toolbar} role="toolbar" aria-label={t("files.actions")}>
          <Button icon={RotateCcw} isDisabled={!hasSome} onPress={() => void restore()}>
            {t("bin.restore")}
          </Button>
          <Button look="quiet" icon={Trash2} isDisabled={!hasSome} onPress={discard}>
            {t("bin.discard")}
          </Button>
          <span className={styles.count} role="status">
            {hasSome && (isAll ? t("files.selectedAll") : t("files.selected", { count: selected.length }))}
          </span>
        </div>
      }
    >
      <ListState list={bin} empty={<EmptyState icon={Trash2} title={t("bin.none")} hint={t("bin.noneHint")} />}>
        <DataGrid
          label={t("bin.title")}
          columns={columns}
          items={bin.items}
          idOf={idOf}
          nameOf={nameOf}
          selection={selection}
          onSelect={select}
          onMenu={openMenu}
        />
      </ListState>
      {menu && (
        <BinMenu
          place={menu}
          items={selected}
          onRestore={() => void restore()}
          onDiscard={discard}
          onClose={() => setMenu(null)}
        />
      )}
      <BinDialogs dialog={dialog} actions={actions} onClose={() => setDialog(null)} onDone={() => select(new Set())} />
    </Page>
  );
}

type BinMenuProps = {
  place: MenuPlace;
  items: readonly BinItem[];
  onRestore: () => void;
  onDiscard: () => void;
  onClose: () => void;
};

/** The menu of the items selected in the bin. */
function BinMenu({ place, items, onRestore, onDiscard, onClose }: BinMenuProps) {
  const { t } = useMessages();
  const [only] = items.length === 1 ? items : [];
  const label = only ? t("files.actionsFor", { name: nameOf(only) }) : t("files.selected", { count: items.length });
  const actions = [
    { text: t("bin.restore"), icon: RotateCcw, run: onRestore },
    { text: t("bin.discard"), icon: Trash2, run: onDiscard },
  ];
  return <ContextMenu place={place} label={label} actions={actions} onClose={onClose} />;
}

export function nameOf({ path }: BinItem): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function columnsOf(t: Translate, formats: Formats, locations: readonly Location[]): GridColumn<BinItem>[] {
  const originOf = ({ path }: BinItem) => partsOf(parentPath(path), locations).join("/") || t("locations.own");
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
          narrow={joined([originOf(item), leftOf(item)])}
        />
      ),
    },
    { id: "origin", title: t("bin.origin"), isWide: true, cell: (item) => <bdi>{originOf(item)}</bdi> },
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

type OpenBinDialog = { kind: "empty" } | { kind: "discard"; items: readonly BinItem[] };

type BinDialogsProps = { dialog: OpenBinDialog | null; actions: BinActions; onClose: () => void; onDone: () => void };

function BinDialogs({ dialog, actions, onClose, onDone }: BinDialogsProps) {
  const { t } = useMessages();
  if (!dialog) return null;
  if (dialog.kind === "empty") {
    return (
      <FormDialog
        isDanger
        title={t("bin.emptyTitle")}
        submit={t("bin.empty")}
        onClose={onClose}
        onSubmit={async () => {
          await actions.empty();
          onDone();
        }}
      >
        <p>{t("bin.emptyText")}</p>
      </FormDialog>
    );
  }
  const { items } = dialog;
  const [only] = items;
  return (
    <FormDialog
      isDanger
      title={t("deletion.title", { count: items.length })}
      submit={t("bin.discard")}
      onClose={onClose}
      onSubmit={async () => {
        await actions.discard(items);
        onDone();
      }}
    >
      <p>{items.length === 1 && only ? t("bin.discardOne", { name: nameOf(only) }) : t("bin.discardMany")}</p>
    </FormDialog>
  );
}
