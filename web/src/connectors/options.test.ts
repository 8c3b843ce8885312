import { expect, it } from "vitest";
import { firstLine, isFor, isSwitch, labelOf, optionsOf, proposalsOf, providerName } from "./options";
import type { Option, Provider } from "./query";

const option = (name: string, more: Partial<Option> = {}): Option => ({
  ...{ name, help: "", standard: "", onlyFor: "", examples: [] },
  ...{ isSecret: false, isAddress: false, isRequired: false, isAdvanced: false },
  ...more,
});

it("knows what is only for some", () => {
  expect(isFor("", "AWS")).toBe(true);
  expect(isFor("AWS,Ceph", "Ceph")).toBe(true);
  expect(isFor("AWS,Ceph", "")).toBe(false);
  expect(isFor("!AWS,Ceph", "Ceph")).toBe(false);
  expect(isFor("!AWS,Ceph", "Minio")).toBe(true);
});

it("asks for each parameter once, by what is chosen", () => {
  const options = [
    option("provider"),
    option("region", { onlyFor: "AWS", help: "of AWS" }),
    option("region", { onlyFor: "!AWS", help: "of others" }),
    option("chunk_size", { isAdvanced: true }),
    option("bucket", { isRequired: true }),
  ];
  const provider: Provider = { type: "s3", name: "S3", usesOAuth: false, options };
  const names = (parameters: Record<string, string>) =>
    Object.values(optionsOf(provider, parameters)).map((part) => part.map(({ name }) => name));
  expect(names({ provider: "AWS" })).toEqual([["bucket", "provider", "region"], ["chunk_size"]]);
  expect(optionsOf(provider, { provider: "AWS" }).main[2]?.help).toBe("of AWS");
  expect(optionsOf(provider, { provider: "Minio" }).main[2]?.help).toBe("of others");
});

it("keeps the login and the client's own names out of the way", () => {
  const options = [option("client_id"), option("client_secret"), option("token"), option("scope")];
  const provider: Provider = { type: "drive", name: "Google Drive", usesOAuth: true, options };
  const { main, more } = optionsOf(provider, {});
  expect(main.map(({ name }) => name)).toEqual(["scope"]);
  expect(more.map(({ name }) => name)).toEqual(["client_id", "client_secret"]);
});

it("proposes what fits", () => {
  const examples = [
    { value: "", help: "None", onlyFor: "" },
    { value: "eu-1", help: "Europe.\nNeeds a constraint.", onlyFor: "AWS" },
    { value: "nl", help: "Netherlands", onlyFor: "Scaleway" },
  ];
  expect(proposalsOf(option("region", { examples }), { provider: "AWS" })).toEqual([
    { value: "eu-1", help: "Europe. Needs a constraint." },
  ]);
});

it("makes words of names", () => {
  expect(labelOf("access_key_id")).toBe("Access key ID");
  expect(labelOf("url")).toBe("URL");
  expect(firstLine("URL of host.\n\nE.g. https://example.com.")).toBe("URL of host.");
  expect(providerName("Amazon S3 Providers including AWS, Ceph")).toEqual({
    short: "Amazon S3 Providers",
    rest: "AWS, Ceph",
  });
  expect(providerName("premiumize.me").short).toBe("Premiumize.me");
});

it("knows switches by what stands if nothing is said", () => {
  expect(isSwitch(option("use_trash", { standard: "true" }))).toBe(true);
  expect(isSwitch(option("vendor"))).toBe(false);
});
