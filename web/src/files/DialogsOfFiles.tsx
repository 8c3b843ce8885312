import { lazy, Suspense } from "react";
import { withPageTexts } from "~/messages";
import type { FileCommands } from "./useFileCommands";

const NameDialog = lazy(async () => ({ default: (await import("./NameDialog")).NameDialog }));
const DeleteDialog = lazy(async () => ({ default: (await import("./NameDialog")).DeleteDialog }));
const FolderDialog = lazy(async () => ({ default: (await import("./FolderDialog")).FolderDialog }));
const ShareDialog = lazy(() =>
  withPageTexts(async () => ({ default: (await import("~/links/ShareDialog")).ShareDialog })),
);

/** The dialog that is open, loaded when the first is. */
export function DialogsOfFiles({ path, commands }: { path: string; commands: FileCommands }) {
  const { dialog, actions, closeDialog, select } = commands;
  if (!dialog) return null;
  switch (dialog.kind) {
    case "newFolder":
    case "newFile":
      return (
        <Suspense>
          <NameDialog kind={dialog.kind} folder={path} actions={actions} onClose={closeDialog} />
        </Suspense>
      );
    case "delete":
      return (
        <Suspense>
          <DeleteDialog
            entries={dialog.entries}
            onClose={closeDialog}
            onDelete={() => {
              select(new Set());
              void actions.delete(dialog.entries, true);
            }}
          />
        </Suspense>
      );
    case "share":
      return (
        <Suspense>
          <ShareDialog {...dialog.entry} onClose={closeDialog} />
        </Suspense>
      );
    default:
      return (
        <Suspense>
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
        </Suspense>
      );
  }
}
