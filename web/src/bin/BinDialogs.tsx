import { FormDialog } from "~/controls/FormDialog";
import { useMessages } from "~/messages";
import type { BinActions } from "./actions";
import { nameOf } from "./columns";
import type { BinItem } from "./query";

export type OpenBinDialog = { kind: "empty" } | { kind: "discard"; items: readonly BinItem[] };

type Props = { dialog: OpenBinDialog | null; actions: BinActions; onClose: () => void; onDone: () => void };

export function BinDialogs({ dialog, actions, onClose, onDone }: Props) {
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
      title={t("files.deleteTitle", { count: items.length })}
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
