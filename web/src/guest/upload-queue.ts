export type Phase = "waiting" | "sending" | "done" | "failed";

/** More at once would only divide the same line. */
export const MOST_AT_ONCE = 3;

/** Those that may begin now, in the order in which they were added. */
export function startable(uploads: readonly { id: number; phase: Phase }[], most: number): number[] {
  const sending = uploads.filter(({ phase }) => phase === "sending").length;
  const waiting = uploads.filter(({ phase }) => phase === "waiting");
  return waiting.slice(0, Math.max(0, most - sending)).map(({ id }) => id);
}
