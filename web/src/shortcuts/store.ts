import { Store } from "~/platform/store";

const isOpen = new Store(false);

/** Opens the list of keys, or closes it. */
export function showShortcuts(shown: boolean): void {
  isOpen.set(shown);
}

export function useAreShortcutsShown(): boolean {
  return isOpen.use();
}

const TYPED_INTO = "input, textarea, select, [contenteditable=true], [data-own-keys]";

/** True if a key is meant for the page: nobody types into something, and no dialog or menu is open over it. */
export function hasPageKeys(event: KeyboardEvent): boolean {
  if (event.defaultPrevented) return false;
  const [target] = event.composedPath();
  if (target instanceof Element && target.closest(TYPED_INTO)) return false;
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') === null;
}
