// The pages' policy wants that no text becomes HTML, script or a script's address by accident ("Trusted Types").
// There are two ways past it, and both stand here.
import { BASE, SERVER } from "./base";

type Policy = { createScriptURL(url: string): unknown };
type PolicyFactory = { createPolicy(name: string, rules: Record<string, (text: string) => string>): Policy };

function factory(): PolicyFactory | undefined {
  return (window as unknown as { trustedTypes?: PolicyFactory }).trustedTypes;
}

function ownScript(text: string): string {
  const url = new URL(text, window.location.origin);
  const isBelow = url.href.startsWith(`${SERVER}/`);
  if (!isBelow || !/^\/(assets\/|service-worker\.js$)/.test(url.pathname.slice(BASE.length))) {
    throw new TypeError(`a script from elsewhere: ${text}`);
  }
  return url.href;
}

function nothing(text: string): string {
  if (text !== "") throw new TypeError("text is not made into HTML here");
  return "";
}

let own: Policy | undefined;

/** To be called once, before anything is shown. */
export function installTrustedTypes(): void {
  own = factory()?.createPolicy("coffer", { createScriptURL: ownScript });
  // React Aria empties an element by `innerHTML = ""`.
  factory()?.createPolicy("default", { createHTML: nothing });
}

/** The address of a worker's script, which must be a part of the interface. */
export function workerScript(url: string | URL): string {
  // Where the browser has Trusted Types this is an object, which stands for the text.
  return (own ? own.createScriptURL(String(url)) : ownScript(String(url))) as string;
}
