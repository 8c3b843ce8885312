import { type DragEvent, type MouseEvent, type PointerEvent, useMemo, useRef } from "react";

/** The row whose menu is requested, and the place to open it. */
export type MenuPlace = { key: string; x: number; y: number };

/** A touch that rests so long, and within so many pixels, is a long one; a little after the list has taken it as one. */
const HOLD_MS = 550;
const STEADY_PX = 10;

function rowOf(target: EventTarget): HTMLElement | null {
  return (target as Element).closest<HTMLElement>("[data-key][role=row]");
}

/** For what surrounds a list: a right click, the keys of menus and a long touch ask for the menu of a row. */
export function useContextMenu(onAsk: (place: MenuPlace) => void) {
  const latest = useRef(onAsk);
  latest.current = onAsk;
  return useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let [fromX, fromY] = [0, 0];
    let isTouch = false;
    const end = () => clearTimeout(timer);
    const ask = (row: HTMLElement, x: number, y: number) => {
      row.focus({ preventScroll: true });
      latest.current({ key: row.dataset.key ?? "", x, y });
    };
    return {
      onContextMenuCapture: (event: MouseEvent) => {
        const row = rowOf(event.target);
        if (!row) return;
        event.preventDefault();
        if ((event.nativeEvent as globalThis.PointerEvent).pointerType === "touch") return;
        const { left, top, width, height } = row.getBoundingClientRect();
        const isByPointer = event.button === 2 || event.ctrlKey;
        if (isByPointer) ask(row, event.clientX, event.clientY);
        else ask(row, left + Math.min(width / 2, 160), top + height / 2);
      },
      onPointerDownCapture: ({ pointerType, isPrimary, target, clientX, clientY }: PointerEvent) => {
        end();
        isTouch = pointerType === "touch";
        const row = isTouch && isPrimary ? rowOf(target) : null;
        if (!row) return;
        [fromX, fromY] = [clientX, clientY];
        timer = setTimeout(() => ask(row, clientX, clientY), HOLD_MS);
      },
      onPointerMoveCapture: ({ clientX, clientY }: PointerEvent) => {
        if (Math.hypot(clientX - fromX, clientY - fromY) > STEADY_PX) end();
      },
      onPointerUpCapture: end,
      // A finger that rests would begin to drag what it rests on.
      onDragStartCapture: (event: DragEvent) => {
        if (!isTouch) return;
        event.preventDefault();
        event.stopPropagation();
      },
      // The list ends its own press so; only the browser's word means that the finger scrolls.
      onPointerCancelCapture: ({ nativeEvent }: PointerEvent) => {
        if (nativeEvent.isTrusted) end();
      },
    };
  }, []);
}
