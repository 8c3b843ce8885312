import { expect, it } from "vitest";
import type { Setting } from "./queries";
import { claimsIn, isInUse, settingsOf } from "./sign-in";

function setting(key: string, value: Setting["value"], origin: Setting["origin"] = "file"): Setting {
  return { key, value, origin, live: false, waits: false, help: "" };
}

const SETTINGS = [
  setting("password_sign_in", "everyone", "default"),
  setting("oidc_issuer", "https://id.example.org"),
  setting("oidc_scopes", "openid profile", "default"),
  setting("ldap_url", "", "default"),
  setting("trusted_proxies", ["127.0.0.1"]),
  setting("proxy_user_header", ""),
];

it("a place is in use if its first setting is set", () => {
  expect(isInUse(SETTINGS, "provider")).toBe(true);
  expect(isInUse(SETTINGS, "directory")).toBe(false);
  expect(isInUse(SETTINGS, "proxy")).toBe(false);
});

it("rules are always shown, other settings if they were changed", () => {
  const keysOf = (place: "rules" | "provider" | "directory" | "proxy") =>
    settingsOf(SETTINGS, place).map(({ key }) => key);
  expect(keysOf("rules")).toEqual(["password_sign_in"]);
  expect(keysOf("provider")).toEqual(["oidc_issuer"]);
  expect(keysOf("directory")).toEqual([]);
  expect(keysOf("proxy")).toEqual(["trusted_proxies", "proxy_user_header"]);
});

it("claims are one JSON object, or nothing", () => {
  expect(claimsIn(" \n")).toBeUndefined();
  expect(claimsIn('{"sub":"s-1"}')).toEqual({ sub: "s-1" });
  for (const text of ["[]", "null", "1", '"sub"', "{", "{} {}"]) expect(claimsIn(text)).toBeNull();
});
