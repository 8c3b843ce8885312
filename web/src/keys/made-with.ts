import type { Link } from "~/links";
import type { ApiKey } from "./query";

/** Keys and links that may outlive a key by which they were made. */
export type Made = { keys: readonly ApiKey[]; links: readonly Link[] };

/** What was made with the key, with a key that was made with it, and so on. */
export function allMadeWith(id: string, { keys, links }: Made): Made {
  const isMade = ({ makers }: { makers: readonly string[] }) => makers.includes(id);
  return { keys: keys.filter(isMade), links: links.filter(isMade) };
}

/** The key that this one was made with, where that is revoked already and so has no row of its own. */
export function goneMaker({ makers: [maker] }: ApiKey, keys: readonly ApiKey[]): string | null {
  return maker === undefined || keys.some(({ id }) => id === maker) ? null : maker;
}
