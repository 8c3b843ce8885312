const ask = (event: Event) => event.preventDefault();

/** While it is wanted the browser asks before the page is closed or loaded anew. */
export function askBeforeLeaving(isWanted: boolean): void {
  if (isWanted) window.addEventListener("beforeunload", ask);
  else window.removeEventListener("beforeunload", ask);
}
