import { type RefObject, useLayoutEffect, useState } from "react";

const NARROWEST = 148;

/** How many tiles stand side by side, as the width allows; two at least. */
export function useTilesPerRow(scroller: RefObject<HTMLElement | null>): number {
  const [perRow, setPerRow] = useState(2);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setPerRow(Math.max(2, Math.floor(element.clientWidth / NARROWEST)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return perRow;
}
