/** How long a key is good for: so many days, for good, or to the end of a day of one's own. */
export const EXPIRIES = ["never", "7", "30", "90", "365", "date"] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAY_MS = 86_400_000;

/** As the server writes moments: UTC, in seconds, with no offset. */
function serverMoment(moment: Date): string {
  return moment.toISOString().slice(0, 19);
}

/** When a key ends, for the server; null for never. The day chosen is the last, by the clock of this device. */
export function expiresAt(expiry: Expiry, day: string, now = new Date()): string | null {
  if (expiry === "never") return null;
  if (expiry !== "date") return serverMoment(new Date(now.getTime() + Number(expiry) * DAY_MS));
  return serverMoment(new Date(`${day}T23:59:59`));
}

/** Whether a day is one that has not ended yet. */
export function isDayToCome(day: string, now = new Date()): boolean {
  const end = new Date(`${day}T23:59:59`);
  return /^\d{4}-\d\d-\d\d$/.test(day) && end.getTime() > now.getTime();
}

export function hasEnded(moment: string | null, now = new Date()): boolean {
  return moment !== null && new Date(`${moment}Z`).getTime() <= now.getTime();
}
