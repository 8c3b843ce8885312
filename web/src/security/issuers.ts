import type { Schemas } from "~/api/client";
import type { Translate } from "~/messages";

/** The server's words for who knows a person, where that is no provider: see `Identity`. */
const PROXY = "proxy";
const DIRECTORY = "ldap:";

type Named = { issuer: string };
type Provider = Schemas["SignInProvider"];

export function isOfProvider({ issuer }: Named): boolean {
  return issuer !== PROXY && !issuer.startsWith(DIRECTORY);
}

/** The name for people of whoever knows the person: the provider's is that of the settings. */
export function issuerName(t: Translate, { issuer }: Named, provider: Provider | null | undefined): string {
  if (issuer === PROXY) return t("admin.proxy");
  if (issuer.startsWith(DIRECTORY)) return t("admin.directory");
  return provider?.name ?? issuer;
}
