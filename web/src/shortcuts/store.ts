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
