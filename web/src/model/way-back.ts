import { useLayoutEffect, useState } from "react";
import { ancestors, parentPath } from "./path";

/**
 * Of a page of folders: the path in the shown one that leads to the one shown before; undefined where none does. What had
 * the focus goes with the folder: the page gets it, whose list takes it on as soon as it is there (`isFocusLeft`).
 */
export function useWayBack(path: string): string | undefined {
  const [turn, setTurn] = useState({ path, before: path });
  if (turn.path !== path) setTurn({ path, before: turn.path });
  useLayoutEffect(() => {
    const isLost = turn.path !== turn.before && document.activeElement === document.body;
    if (isLost) document.getElementById("page")?.focus({ preventScroll: true });
  }, [turn]);
  return ancestors(turn.before).find((one) => parentPath(one) === path);
}

/** True while the page itself has the focus, and nothing on it. */
export function isFocusLeft(): boolean {
  return document.activeElement?.id === "page";
}
