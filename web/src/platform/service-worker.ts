import { at } from "./base";
import { workerScript } from "./trusted-types";

/** Makes the interface one that can be installed, that takes what a phone shares, and that says when it is offline. */
export function registerServiceWorker(): void {
  // Without HTTPS browsers have none.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // Where it is refused, as in a private window, the pages do without.
  void navigator.serviceWorker.register(workerScript(at("/service-worker.js"))).catch(() => {});
}
