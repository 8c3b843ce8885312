import { queryOptions } from "@tanstack/react-query";
import { answerOf, type Schemas, v2 } from "~/api/client";
import { keys } from "~/api/keys";
import type { Link } from "~/model/links";
import { utcSeconds } from "~/model/moments";

export type ApiKey = Schemas["ApiKey"];
export type CreatedKey = Schemas["CreatedApiKey"];

/** The account's keys, by the time at which they were made. */
export const apiKeysQuery = queryOptions({
  queryKey: keys.apiKeys,
  queryFn: () => answerOf(v2.GET("/api/v2/keys")),
});

/** Lists what a key reaches, as a command that works as it stands. A key's paths begin at the folder it is limited to. */
export function curlLine(origin: string, secret: string): string {
  return `curl -H "X-API-Key: ${secret}" "${origin}/api/v2/files"`;
}

/** How long a key is good for: so many days, for good, or to the end of a day of one's own. */
export const EXPIRIES = ["never", "7", "30", "90", "365", "date"] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAY_MS = 86_400_000;

/** When a key ends, for the server; null for never. The day chosen is the last, by the clock of this device. */
export function expiresAt(expiry: Expiry, day: string, now = new Date()): string | null {
  if (expiry === "never") return null;
  if (expiry !== "date") return utcSeconds(new Date(now.getTime() + Number(expiry) * DAY_MS));
  return utcSeconds(new Date(`${day}T23:59:59`));
}

/** True for a day that has not ended yet. */
export function isDayToCome(day: string, now = new Date()): boolean {
  const end = new Date(`${day}T23:59:59`);
  return /^\d{4}-\d\d-\d\d$/.test(day) && end.getTime() > now.getTime();
}

export function hasEnded(moment: string | null, now = new Date()): boolean {
  return moment !== null && new Date(`${moment}Z`).getTime() <= now.getTime();
}

/** Keys and links that may outlive a key by which they were made. */
export type Made = { keys: readonly ApiKey[]; links: readonly Link[] };

/** All keys and links made with the key, or with a key that was made with it, and so on. */
export function allMadeWith(id: string, { keys, links }: Made): Made {
  const isMade = ({ makers }: { makers: readonly string[] }) => makers.includes(id);
  return { keys: keys.filter(isMade), links: links.filter(isMade) };
}

/** Its makers that are revoked already and so have no row of their own, the nearest first. */
export function goneMakers({ makers }: ApiKey, keys: readonly ApiKey[]): readonly string[] {
  const ids = new Set(keys.map(({ id }) => id));
  return makers.filter((maker) => !ids.has(maker));
}
