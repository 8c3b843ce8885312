import { useSyncExternalStore } from "react";

let isOpen = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the list of keys, or closes it. */
export function showShortcuts(shown: boolean): void {
  isOpen = shown;
  for (const listener of listeners) listener();
}

export function useAreShortcutsShown(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen);
}

const TYPED_INTO = "input, textarea, select, [contenteditable=true], [data-own-keys]";

/** True if a key is meant for the page: nobody types into something, and no dialog or menu is open over it. */
export function hasPageKeys(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  const [target] = event.composedPath();
  if (target instanceof Element && target.closest(TYPED_INTO)) return false;
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') === null;
}
