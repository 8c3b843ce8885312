import type { Link } from "~/links";
import type { ApiKey } from "./query";

/** Keys and links that may outlive a key by which they were made. */
export type Made = { keys: ApiKey[]; links: Link[] };

export function isNothing(made: Made): boolean {
  return made.keys.length + made.links.length === 0;
}

/** What was made with one of the keys, which may be revoked already. */
export function madeWith(ids: ReadonlySet<string>, all: Made): Made {
  const isMade = ({ madeBy }: { madeBy: string | null }) => madeBy !== null && ids.has(madeBy);
  return { keys: all.keys.filter(isMade), links: all.links.filter(isMade) };
}

/** What was made with the key, with a key that was made with it, and so on. */
export function allMadeWith(id: string, all: Made): Made {
  const ids = new Set([id]);
  for (;;) {
    const made = madeWith(ids, all);
    if (made.keys.every((key) => ids.has(key.id))) return made;
    for (const key of made.keys) ids.add(key.id);
  }
}
