import { useSyncExternalStore } from "react";

/** So often a server that is not reached is looked for. */
const LOOK_MS = 2_000;

let isReached = true;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Records if a request reached the server. If not, the server is asked regularly until it answers. */
export function setReached(reached: boolean): void {
  if (reached === isReached) return;
  isReached = reached;
  clearInterval(timer);
  if (!reached) timer = setInterval(() => void lookForServer(), LOOK_MS);
  for (const listener of listeners) listener();
}

/** True of the answer of something before a server that is not there. */
export function isOfProxy({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !headers.get("Content-Type")?.includes("json");
}

export async function lookForServer(): Promise<void> {
  const answer = await fetch("/health/live", { cache: "no-store" }).catch(() => null);
  setReached(answer?.ok === true);
}

/** Called when the server is reached no more, or again. */
export function watchReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function serverIsReached(): boolean {
  return isReached;
}

export function useIsReached(): boolean {
  return useSyncExternalStore(watchReach, serverIsReached);
}

window.addEventListener("online", () => {
  if (!isReached) void lookForServer();
});
