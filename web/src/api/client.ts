import createClient, { type Middleware } from "openapi-fetch";
import { Problem, type ProblemBody } from "./problem";
import { isOfProxy, setReached } from "./reach";
import type { paths as V1Paths } from "./v1";
import type { components as V2Components, paths as V2Paths } from "./v2";

/** The schemas of the API's description. */
export type Schemas = V2Components["schemas"];

let csrfToken: string | null = null;
let onSessionEnd: () => void = () => {};

/** Sets the token that every writing request must send; the session brings it. */
export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** For requests that do not go through `v2`: uploads, for one. */
export function csrfHeaders(): Record<string, string> {
  return csrfToken === null ? {} : { "X-CSRF-Token": csrfToken };
}

/** Called when a request finds that nobody is signed in any more. */
export function watchSessionEnd(callback: () => void): void {
  onSessionEnd = callback;
}

const session: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") {
      for (const [name, value] of Object.entries(csrfHeaders())) request.headers.set(name, value);
    }
    return request;
  },
  onResponse({ schemaPath, response }) {
    setReached(!isOfProxy(response));
    // Signing in with a wrong password answers 401 too, and so does asking whether there is a session.
    if (response.status === 401 && schemaPath !== "/api/v2/session") onSessionEnd();
  },
};

export const v1 = createClient<V1Paths>({ baseUrl: window.location.origin });
export const v2 = createClient<V2Paths>({ baseUrl: window.location.origin });
v1.use(session);
v2.use(session);

type Outcome<Data> = { data?: Data; error?: unknown; response: Response };

/** The answer's data; what the server refused, or that it was not reached, is thrown as a Problem. */
export async function answerOf<Data>(request: Promise<Outcome<Data>>): Promise<Data> {
  let outcome: Outcome<Data>;
  try {
    outcome = await request;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    setReached(false);
    throw Problem.offline(cause);
  }
  if (!outcome.response.ok) throw Problem.of(outcome.response, outcome.error as ProblemBody | undefined);
  return outcome.data as Data;
}
