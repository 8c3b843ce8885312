import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useState } from "react";
import { useMessages } from "~/messages";
import { dropOn, endDrag } from "./drag";

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
    const { FileActions } = await import("~/files/actions");
    await new FileActions(client, t).transfer(drop.kind, drop.entries, folder);
  };
  return {
    isTarget,
    props: { onDragEnter: onDragOver, onDragOver, onDragLeave, onDrop: (event: DragEvent) => void onDrop(event) },
  };
}
