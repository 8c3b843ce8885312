import { expect, it } from "vitest";
import { startOf } from "./methods";

it("leads to the provider, and back to the page", () => {
  const trip = { purpose: "confirm", to: "/settings/api-keys" } as const;
  expect(startOf(trip)).toBe("/api/v2/session/oidc/confirm?return=%2Fsettings%2Fapi-keys");
  expect(startOf({ ...trip, purpose: "signIn" }, "login")).toMatch(
    /^\/api\/v2\/session\/oidc\/start\?.*&prompt=login$/,
  );
});

it("comes back to the files from an address that is longer than the server takes", () => {
  const longest = `/${"a".repeat(1023)}`;
  const returnOf = (to: string) => new URL(startOf({ purpose: "signIn", to }), "http://a").searchParams.get("return");
  expect(returnOf(longest)).toBe(longest);
  expect(returnOf(`${longest}a`)).toBe("/files/");
});
