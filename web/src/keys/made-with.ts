import type { Link } from "~/links";
import type { ApiKey } from "./query";

/** Keys and links that may outlive a key by which they were made. */
export type Made = { keys: readonly ApiKey[]; links: readonly Link[] };

/** What was made with the key, with a key that was made with it, and so on. */
export function allMadeWith(id: string, { keys, links }: Made): Made {
  const isMade = ({ makers }: { makers: readonly string[] }) => makers.includes(id);
  return { keys: keys.filter(isMade), links: links.filter(isMade) };
}

/** Its makers that are revoked already and so have no row of their own, the nearest first. */
export function goneMakers({ makers }: ApiKey, keys: readonly ApiKey[]): readonly string[] {
  const ids = new Set(keys.map(({ id }) => id));
  return makers.filter((maker) => !ids.has(maker));
}
