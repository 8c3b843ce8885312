import { useEffect, useRef } from "react";
import { at } from "~/platform/base";
import { Store } from "~/platform/store";

/** So often a server that is not reached is looked for. */
const LOOK_MS = 2_000;

const isReached = new Store(true);
let timer: ReturnType<typeof setInterval> | undefined;

/** Records if a request reached the server. If not, the server is asked regularly until it answers. */
export function setReached(reached: boolean): void {
  if (reached === isReached.get()) return;
  clearInterval(timer);
  if (!reached) timer = setInterval(() => void lookForServer(), LOOK_MS);
  isReached.set(reached);
}

/** True of the answer of something before a server that is not there. */
export function isOfProxy({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !headers.get("Content-Type")?.includes("json");
}

export async function lookForServer(): Promise<void> {
  const answer = await fetch(at("/health/live"), { cache: "no-store" }).catch(() => null);
  setReached(answer?.ok === true);
}

/** Called when the server is reached no more, or again. */
export const watchReach = isReached.subscribe;

export const serverIsReached = isReached.get;

export function useIsReached(): boolean {
  return isReached.use();
}

/** Does something when the server is reached again. */
export function useWhenBack(act: () => void): void {
  const isReached = useIsReached();
  const wasReached = useRef(isReached);
  useEffect(() => {
    if (isReached && !wasReached.current) act();
    wasReached.current = isReached;
  });
}

window.addEventListener("online", () => {
  if (!isReached.get()) void lookForServer();
});
