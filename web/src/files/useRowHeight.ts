import { useSyncExternalStore } from "react";

const COARSE = "(pointer: coarse)";

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(COARSE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** The token --row-height in pixels: rows are higher for fingers. */
export function useRowHeight(): number {
  return useSyncExternalStore(subscribe, () => (window.matchMedia(COARSE).matches ? 52 : 40));
}
