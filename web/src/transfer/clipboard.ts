import { useSyncExternalStore } from "react";
import type { Entry } from "~/model/entries";

/** The items cut or copied in this window, to be pasted into another folder. */
type Clipboard = { kind: "move" | "copy"; entries: readonly Entry[] };

let clipboard: Clipboard | null = null;
let cutPaths: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function set(next: Clipboard | null): void {
  clipboard = next;
  cutPaths = new Set(next?.kind === "move" ? next.entries.map(({ path }) => path) : []);
  for (const listener of listeners) listener();
}

export function putOnClipboard(next: Clipboard): void {
  set(next);
}

export function readClipboard(): Clipboard | null {
  return clipboard;
}

export function clearClipboard(): void {
  set(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True for a cut item, which is shown so until it is pasted. */
export function useIsCut(path: string): boolean {
  return useSyncExternalStore(subscribe, () => cutPaths.has(path));
}
