import type { Middleware } from "openapi-fetch";

/** Resolves to true once the person has shown again who they are. */
type Ask = () => Promise<boolean>;

let ask: Ask = () => Promise.resolve(false);

/** Sets what asks the person when the server wants that a session is confirmed. Returns what takes it back. */
export function watchUnconfirmed(callback: Ask): () => void {
  ask = callback;
  return () => {
    if (ask === callback) ask = () => Promise.resolve(false);
  };
}

/** Asks the person now, before something that no request of this page does. */
export function askToConfirm(): Promise<boolean> {
  return ask();
}

/** Requests as they were before they were sent: a body is read once. */
const copies = new WeakMap<Request, Request>();

async function isUnconfirmed(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  // What stands before a server refuses in its own way.
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "code" in body && body.code === "unconfirmed";
}

/** Asks the person where the server wants it, and sends the request again. */
export const confirmation: Middleware = {
  onRequest({ request }) {
    const type = request.headers.get("Content-Type");
    if (request.method !== "GET" && (type === null || type === "application/json"))
      copies.set(request, request.clone());
    return undefined;
  },
  async onResponse({ request, response }) {
    const copy = copies.get(request);
    if (!copy || !(await isUnconfirmed(response)) || !(await ask())) return undefined;
    return await fetch(copy);
  },
};
