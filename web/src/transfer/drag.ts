import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useState } from "react";
import { useMessages } from "~/messages";
import type { Entry } from "~/model/entries";
import { isWithin, parentPath } from "~/model/path";
import { FileActions } from "./actions";

/** Tells our own entries from files of the desktop. */
const DRAG_TYPE = "application/x-coffer-entries";

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

/** The effect of a drop on a folder: a copy with Ctrl (or Alt, on a Mac), else a move. Null if the folder takes nothing. */
function dropOn(folder: string, event: Pick<DragEvent, "ctrlKey" | "altKey" | "dataTransfer">): Drop | null {
  if (!dragged || !event.dataTransfer.types.includes(DRAG_TYPE)) return null;
  const { entries, canMove } = dragged;
  if (entries.some(({ path, isDirectory }) => isDirectory && isWithin(folder, path))) return null;
  const kind = event.ctrlKey || event.altKey || !canMove ? "copy" : "move";
  if (kind === "move" && entries.every(({ path }) => parentPath(path) === folder)) return null;
  return { kind, entries };
}

/** Lets a folder, wherever it is shown, take what is dragged onto it. */
export function useFolderDrop(folder: string, isPossible = true) {
  const client = useQueryClient();
  const { t } = useMessages();
  const [isTarget, setTarget] = useState(false);
  const onDragOver = (event: DragEvent) => {
    const drop = isPossible ? dropOn(folder, event) : null;
    setTarget(drop !== null);
    if (!drop) return;
    event.preventDefault();
    event.stopPropagation();
    event.dataTransfer.dropEffect = drop.kind;
  };
  const onDragLeave = (event: DragEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setTarget(false);
  };
  const onDrop = async (event: DragEvent) => {
    const drop = isPossible ? dropOn(folder, event) : null;
    setTarget(false);
    if (!drop) return;
    event.preventDefault();
    event.stopPropagation();
    endDrag();
    await new FileActions(client, t).transfer(drop.kind, drop.entries, folder);
  };
  return {
    isTarget,
    props: { onDragEnter: onDragOver, onDragOver, onDragLeave, onDrop: (event: DragEvent) => void onDrop(event) },
  };
}
