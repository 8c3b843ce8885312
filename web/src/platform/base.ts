// A proxy may serve Coffer below a path of its own, as `/coffer` (the setting base_path).

/** That path, as the address of a part of the interface tells it; empty if there is none. */
export function baseOf(part: string): string {
  return /^(.*)\/assets\/[^/]*$/.exec(new URL(part).pathname)?.[1] ?? "";
}

/** Without a slash at its end. */
export const BASE = baseOf(import.meta.url);

/** An address of the server in the browser: what is not given to the router or to a client of the API needs this. */
export function at(path: `/${string}`): string {
  return BASE + path;
}

/** The same with the origin, for clients of the API and for other programs. */
export const SERVER = location.origin + BASE;
