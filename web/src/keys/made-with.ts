import type { Link } from "~/links";
import type { ApiKey } from "./query";

/** Keys and links that may outlive a key by which they were made. */
export type Made = { keys: readonly ApiKey[]; links: readonly Link[] };

/**
 * The key whose chain ends with this one: its maker, where that is revoked already and so has no row of its own; else
 * itself.
 */
export function rootOf({ id, madeBy }: ApiKey, keys: readonly ApiKey[]): string {
  return madeBy === null || keys.some((key) => key.id === madeBy) ? id : madeBy;
}

/** What was made with the key, with a key that was made with it, and so on. */
export function allMadeWith(id: string, all: Made): Made {
  const ids = new Set([id]);
  const isMade = ({ madeBy }: { madeBy: string | null }) => madeBy !== null && ids.has(madeBy);
  for (;;) {
    const keys = all.keys.filter(isMade);
    if (keys.every((key) => ids.has(key.id))) return { keys, links: all.links.filter(isMade) };
    for (const key of keys) ids.add(key.id);
  }
}
