import { later } from "~/controls/later";
import { withPageTexts } from "~/messages";
import type { FileCommands } from "./useFileCommands";

const NameDialog = later(() => withPageTexts(async () => (await import("./NameDialog")).NameDialog));
const DeleteDialog = later(() => withPageTexts(async () => (await import("./NameDialog")).DeleteDialog));
const FolderDialog = later(async () => (await import("./FolderDialog")).FolderDialog);
const UnpackDialog = later(() => withPageTexts(async () => (await import("./UnpackDialog")).UnpackDialog));
const ShareDialog = later(() => withPageTexts(async () => (await import("~/sharing/ShareDialog")).ShareDialog));

/** The dialog that is open, loaded when the first is. */
export function DialogsOfFiles({ path, commands }: { path: string; commands: FileCommands }) {
  const { dialog, actions, closeDialog, select } = commands;
  if (!dialog) return null;
  switch (dialog.kind) {
    case "newFolder":
    case "newFile":
      return <NameDialog kind={dialog.kind} folder={path} actions={actions} onClose={closeDialog} />;
    case "delete":
      return (
        <DeleteDialog
          entries={dialog.entries}
          onClose={closeDialog}
          onDelete={() => {
            select(new Set());
            void actions.delete(dialog.entries, true);
          }}
        />
      );
    case "unpack":
      return <UnpackDialog archive={dialog.entry} folder={path} actions={actions} onClose={closeDialog} />;
    case "share":
      return <ShareDialog {...dialog.entry} onClose={closeDialog} />;
    default:
      return (
        <FolderDialog
          kind={dialog.kind}
          entries={dialog.entries}
          from={path}
          actions={actions}
          onClose={closeDialog}
          onChoose={(destination) => {
            if (dialog.kind === "move") select(new Set());
            void actions.transfer(dialog.kind, dialog.entries, destination);
          }}
        />
      );
  }
}
