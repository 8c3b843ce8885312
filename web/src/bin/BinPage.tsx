import { useQueryClient } from "@tanstack/react-query";
import { RotateCcw, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import type { Selection } from "react-aria-components";
import { Button } from "~/controls/Button";
import { DataGrid } from "~/controls/DataGrid";
import { EmptyState } from "~/controls/EmptyState";
import { ListState } from "~/controls/ListState";
import { Page } from "~/controls/Page";
import type { MenuPlace } from "~/controls/useContextMenu";
import { useMessages } from "~/messages";
import { BinActions } from "./actions";
import { BinDialogs, type OpenBinDialog } from "./BinDialogs";
import { BinMenu } from "./BinMenu";
import styles from "./BinPage.module.css";
import { columnsOf, nameOf } from "./columns";
import { type BinItem, useBin } from "./query";

const idOf = ({ id }: BinItem) => id;

/** What was deleted, and the ways back. */
export function BinPage() {
  const { t, formats } = useMessages();
  const client = useQueryClient();
  const bin = useBin();
  const actions = useMemo(() => new BinActions(client, t), [client, t]);
  const columns = useMemo(() => columnsOf(t, formats), [t, formats]);
  const [selection, select] = useState<Selection>(new Set());
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [dialog, setDialog] = useState<OpenBinDialog | null>(null);
  const selected = bin.items.filter(({ id }) => selection === "all" || selection.has(id));
  const restore = async () => {
    if (await actions.restore(selected)) select(new Set());
  };
  const discard = () => setDialog({ kind: "discard", items: selected });
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
            {hasSome && t("files.selected", { count: selected.length })}
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
