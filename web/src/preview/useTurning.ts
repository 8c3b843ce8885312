import { useEffect, useRef } from "react";

/** What has keys of its own: players seek by arrows, texts move their caret, a question stands above. */
const OWN_KEYS = "video, audio, input, textarea, select, [data-own-keys], [role=alertdialog]";

function hasOwnKeys(target: EventTarget | null | undefined): boolean {
  return target instanceof Element && target.closest(OWN_KEYS) !== null;
}

/** Arrows lead to the file before and after, along the line of the language. */
export function useTurning(onBefore: (() => void) | undefined, onAfter: (() => void) | undefined): void {
  const turns = useRef({ onBefore, onAfter });
  turns.current = { onBefore, onAfter };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      // What is within an editor is told to the page as the editor itself.
      if (hasOwnKeys(event.target) || hasOwnKeys(event.composedPath()[0])) return;
      const [before, after] =
        document.documentElement.dir === "rtl" ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
      const turn =
        event.key === before ? turns.current.onBefore : event.key === after ? turns.current.onAfter : undefined;
      if (!turn) return;
      event.preventDefault();
      turn();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
