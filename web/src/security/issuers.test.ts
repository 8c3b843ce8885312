import { expect, test } from "vitest";
import { Formats } from "~/messages/formats";
import { loadTexts } from "~/messages/languages";
import { translator } from "~/messages/translate";
import type { Messages } from "~/messages/types";
import { isOfProvider, issuerName } from "./issuers";

const texts = { ...(await loadTexts("de", "all")), ...(await loadTexts("de", "pages")) } as Messages;
const t = translator(texts, new Formats("de"));
const PROVIDER = { name: "Example ID" };
const named = (issuer: string, provider: typeof PROVIDER | null = PROVIDER) => issuerName(t, { issuer }, provider);

test("whoever knows a person has a name for people", () => {
  expect(named("https://id.example.org")).toBe("Example ID");
  expect(named("ldap:ou=people,dc=example,dc=org")).toBe("Verzeichnis");
  expect(named("proxy")).toBe("Proxy");
});

test("a provider that is not in the settings any more is told by its address", () => {
  expect(named("https://id.example.org", null)).toBe("https://id.example.org");
});

test("directories and proxies are no providers", () => {
  const issuers = ["https://id.example.org", "ldap:ou=people", "proxy"];
  expect(issuers.map((issuer) => isOfProvider({ issuer }))).toEqual([true, false, false]);
});
