import type { Entry } from "~/model/entries";
import { Store } from "~/platform/store";

/** The items cut or copied in this window, to be pasted into another folder. */
type Clipboard = { kind: "move" | "copy"; entries: readonly Entry[] };

const clipboard = new Store<Clipboard | null>(null);
const cutPaths = new Store<ReadonlySet<string>>(new Set());

export function putOnClipboard(next: Clipboard | null): void {
  clipboard.set(next);
  cutPaths.set(new Set(next?.kind === "move" ? next.entries.map(({ path }) => path) : []));
}

export function readClipboard(): Clipboard | null {
  return clipboard.get();
}

export function clearClipboard(): void {
  putOnClipboard(null);
}

/** True for a cut item, which is shown so until it is pasted. */
export function useIsCut(path: string): boolean {
  return cutPaths.use().has(path);
}
