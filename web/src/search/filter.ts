import { useSyncExternalStore } from "react";

let filter = "";
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What stands in the search box. */
export function useFilter(): string {
  return useSyncExternalStore(subscribe, () => filter);
}

export function setFilter(text: string): void {
  filter = text;
  for (const listener of listeners) listener();
}
