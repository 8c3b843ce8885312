import { useEffect } from "react";
import { later } from "~/controls/later";
import { withPageTexts } from "~/messages";
import { hasPageKeys, showShortcuts, useAreShortcutsShown } from "./store";

const ShortcutsDialog = later(() => withPageTexts(async () => (await import("./ShortcutsDialog")).ShortcutsDialog));

function onKeyDown(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !hasPageKeys(event)) return;
  if (event.key === "?") showShortcuts(true);
  else if (event.key === "/") document.querySelector<HTMLElement>('[data-shortcut="search"]')?.focus();
  else return;
  event.preventDefault();
  // The list would look for an item of that name.
  event.stopPropagation();
}

/** The keys that work on every page: `/` goes to the search box, `?` tells all keys. */
export function Shortcuts() {
  const isShown = useAreShortcutsShown();
  useEffect(() => {
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
  return isShown && <ShortcutsDialog onClose={() => showShortcuts(false)} />;
}
