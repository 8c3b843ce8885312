import { useEffect, useRef } from "react";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import { hasPageKeys } from "~/shortcuts";
import { clearClipboard, putOnClipboard, readClipboard } from "~/transfer";
import type { FileCommands } from "./useFileCommands";

/** Ctrl+C, X and V, wherever the focus is on the page: an empty folder has no list to have it. */
export function useClipboardKeys(commands: FileCommands): void {
  const { t } = useMessages();
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const take = (kind: "move" | "copy"): boolean => {
      const { selected, canChangeAll } = latest.current;
      const isTextSelected = window.getSelection()?.isCollapsed === false;
      if (selected.length === 0 || isTextSelected || (kind === "move" && !canChangeAll)) return false;
      putOnClipboard({ kind, entries: selected });
      showToast({ text: t(kind === "move" ? "files.cut" : "files.copiedForPaste", { count: selected.length }) });
      return true;
    };
    const paste = (): boolean => {
      const clipboard = readClipboard();
      if (!clipboard) return false;
      const { actions, path, canAdd } = latest.current;
      if (!canAdd) {
        showToast({ text: t("files.onlyRead"), tone: "danger" });
        return true;
      }
      // What was cut is somewhere else from now on.
      if (clipboard.kind === "move") clearClipboard();
      void actions.transfer(clipboard.kind, clipboard.entries, path);
      return true;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || !hasPageKeys(event)) return;
      const key = event.key.toLowerCase();
      const isDone = key === "c" ? take("copy") : key === "x" ? take("move") : key === "v" ? paste() : false;
      if (isDone) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [t]);
}
