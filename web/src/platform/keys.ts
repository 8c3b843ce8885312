/** The letter that a key means: what it types, or what stands at its place where that is not Latin. */
export function latinLetterOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  const isForeign = key.length === 1 && key > "\x7f";
  return (isForeign && /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase()) || key.toLowerCase();
}

/**
 * Has all that hears keys, also in libraries, hear nothing of an input method at work, and shortcuts by the place of the key
 * where it types no Latin letter. What the browser does with a key stays as it is.
 */
export function installKeys(): void {
  window.addEventListener("keydown", onKeyDown, { capture: true });
}

function onKeyDown(event: KeyboardEvent): void {
  const [target] = event.composedPath();
  // An editor, which stands in a shadow root, knows of both by itself.
  if (!event.isTrusted || !target || target !== event.target) return;
  // Safari tells by the code alone of the key that ends a word.
  const isComposed = event.isComposing || event.keyCode === 229;
  const letter = latinLetterOf(event);
  const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && letter !== event.key.toLowerCase();
  if (isComposed || isShortcut) event.stopImmediatePropagation();
  if (isComposed || !isShortcut) return;
  const { code, ctrlKey, metaKey, shiftKey } = event;
  const same = { key: letter, code, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true, composed: true };
  if (!target.dispatchEvent(new KeyboardEvent("keydown", same))) event.preventDefault();
}
