/** Shows the name of a button that is only an icon to those who point at it. */
export function nameByTitle({ target }: { target: HTMLElement }): void {
  target.title = target.getAttribute("aria-label") ?? target.textContent ?? "";
}
