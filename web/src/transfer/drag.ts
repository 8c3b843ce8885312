import type { DragEvent } from "react";
import { type Entry, isWithin, parentPath } from "~/files";

/** Tells our own entries from files of the desktop. */
export const DRAG_TYPE = "application/x-coffer-entries";

// A browser shows what is dragged to nobody before it is dropped, but in one window it can be known.
let dragged: { entries: readonly Entry[]; canMove: boolean } | null = null;

export function beginDrag(event: DragEvent, entries: readonly Entry[], canMove: boolean): void {
  dragged = { entries, canMove };
  event.dataTransfer.setData(DRAG_TYPE, "");
  event.dataTransfer.effectAllowed = canMove ? "copyMove" : "copy";
}

export function endDrag(): void {
  dragged = null;
}

export type Drop = { kind: "move" | "copy"; entries: readonly Entry[] };

/** What would happen if it were dropped on a folder: with Ctrl (or Alt, on a Mac) it is copied. Null for nothing. */
export function dropOn(folder: string, event: Pick<DragEvent, "ctrlKey" | "altKey" | "dataTransfer">): Drop | null {
  if (!dragged || !event.dataTransfer.types.includes(DRAG_TYPE)) return null;
  const { entries, canMove } = dragged;
  if (entries.some(({ path, isDirectory }) => isDirectory && isWithin(folder, path))) return null;
  const kind = event.ctrlKey || event.altKey || !canMove ? "copy" : "move";
  if (kind === "move" && entries.every(({ path }) => parentPath(path) === folder)) return null;
  return { kind, entries };
}
