import createClient, { type Middleware } from "openapi-fetch";
import { SERVER } from "~/platform/base";
import { confirmation } from "./confirmation";
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
    // Signing in with a wrong password answers 401 too, and so does asking whether there is a session.
    note(response, !/session(\/second-factor|\/passkey.*|\/proxy)?$/.test(schemaPath));
  },
};

/** What any answer tells: that the server is reached, and whether the session has ended. */
function note(response: Response, needsSession = true): void {
  setReached(!isOfProxy(response));
  if (needsSession && response.status === 401) onSessionEnd();
}

/** Requests an address of the API that is given to the browser too. Throws a Problem if the server is not reached. */
export async function fetchAddress(address: string, method: "GET" | "HEAD"): Promise<Response> {
  const response = await reached(fetch(address, { method }));
  note(response);
  return response;
}

export const v1 = createClient<V1Paths>({ baseUrl: SERVER });
export const v2 = createClient<V2Paths>({ baseUrl: SERVER });
v1.use(session);
v2.use(session, confirmation);

async function reached<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    setReached(false);
    throw Problem.offline(cause);
  }
}

type Outcome<Data> = { data?: Data; error?: unknown; response: Response };

/** The answer's data; what the server refused, or that it was not reached, is thrown as a Problem. */
export async function answerOf<Data>(request: Promise<Outcome<Data>>): Promise<Data> {
  const outcome = await reached(request);
  if (!outcome.response.ok) throw Problem.of(outcome.response, outcome.error as ProblemBody | undefined);
  return outcome.data as Data;
}
