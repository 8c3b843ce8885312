import { useMedia } from "~/controls/useMedia";

/** The token --row-height in pixels: rows are higher for fingers. */
export function useRowHeight(): number {
  return useMedia("(pointer: coarse)") ? 52 : 40;
}
