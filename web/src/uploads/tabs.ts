import { newId } from "./model";

const PREFIX = "coffer-uploads-";

/** This tab, for the others: what it works on is not theirs. */
export const OWN_TAB = newId();

/** On pages that are not secure a browser has no locks; nothing goes on by itself there, so that nothing needs one. */
const locks = (navigator as { locks?: LockManager }).locks;

// Held as long as the tab is there, however it ends.
void locks?.request(PREFIX + OWN_TAB, () => new Promise(() => {}));

/** The tabs of this browser that are open. */
export async function aliveTabs(): Promise<Set<string>> {
  const held = (await locks?.query())?.held ?? [];
  return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}
