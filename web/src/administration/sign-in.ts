import { answerOf, type Schemas, v2 } from "~/api/client";
import type { paths } from "~/api/v2";
import type { Setting } from "./queries";

export type SignInTest = Schemas["SignInTest"];
export type SignInStep = Schemas["SignInTestStep"];
export type SignInOutcome = Schemas["SignInOutcome"];
export type SignInQuestion = paths["/api/v2/admin/sign-in/test"]["post"]["requestBody"]["content"]["application/json"];
/** One JSON object of any members. */
export type Claims = NonNullable<SignInQuestion["claims"]>;

/** Asks the provider and the directory, which changes nothing. */
export async function testSignIn(body: SignInQuestion): Promise<SignInTest> {
  return await answerOf(v2.POST("/api/v2/admin/sign-in/test", { body }));
}

/** A place that people sign in by, with the settings that are for it. */
export type Place = "rules" | "provider" | "directory" | "proxy";

const PREFIXES = { provider: "oidc_", directory: "ldap_", proxy: "proxy_" } as const;
const RULES = ["password_sign_in", "second_factor", "passkeys"];
/** The setting without which a place is not in use. */
const FIRST = { provider: "oidc_issuer", directory: "ldap_url", proxy: "proxy_user_header" } as const;

export function isInUse(settings: readonly Setting[], place: Exclude<Place, "rules">): boolean {
  return settings.some(({ key, value }) => key === FIRST[place] && value !== "");
}

/** The settings of a place: all rules, and of others those that are not as they are by default. */
export function settingsOf(settings: readonly Setting[], place: Place): Setting[] {
  if (place === "rules") return settings.filter(({ key }) => RULES.includes(key));
  return settings.filter(({ key, origin }) => {
    const isOfProxy = place === "proxy" && key === "trusted_proxies";
    return origin !== "default" && (key.startsWith(PREFIXES[place]) || isOfProxy);
  });
}

/** The claims that were typed; undefined if nothing was, null if it is no JSON object. */
export function claimsIn(text: string): Claims | undefined | null {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Claims) : null;
  } catch {
    return null;
  }
}
