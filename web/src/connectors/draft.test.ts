import { expect, it } from "vitest";
import { bodyOf, changesOf, draftOf, emptyDraft, trialOf, usualPort, withAddress } from "./draft";
import type { Connector } from "./query";

const KEY = `SHA256:${"A".repeat(43)}`;

const nas = {
  id: "12",
  kind: "sftp",
  name: "NAS",
  description: "",
  readOnly: false,
  server: {
    host: "nas",
    port: 22,
    user: "ann",
    root: "",
    tls: "none",
    characterSet: "utf-8",
    hostKey: KEY,
    usesPrivateKey: false,
  },
  drive: null,
} as unknown as Connector;

const cloud = {
  id: "13",
  kind: "drive",
  name: "Cloud",
  description: "",
  readOnly: true,
  server: null,
  drive: { provider: "webdav", root: "", parameters: { url: "https://dav", user: "ann", pass: null } },
} as unknown as Connector;

it("says the usual port where none is typed", () => {
  expect(usualPort({ kind: "sftp", tls: "none" })).toBe(22);
  expect(usualPort({ kind: "ftp", tls: "explicit" })).toBe(21);
  expect(bodyOf(emptyDraft("ftp", "", "implicit")).port).toBe(990);
});

it("sends of a server what belongs to its kind", () => {
  const ftp = { ...emptyDraft("ftp"), name: " NAS ", host: "nas ", user: "ann", password: "x", privateKey: "never" };
  expect(bodyOf(ftp)).toEqual({
    ...{ kind: "ftp", name: "NAS", description: "", readOnly: false, root: "" },
    ...{ host: "nas", port: 21, user: "ann", tls: "none", password: "x" },
  });
  const sftp = { ...emptyDraft("sftp"), hostKey: KEY, usesPrivateKey: true, password: "never", privateKey: "key" };
  expect(bodyOf(sftp)).toMatchObject({ hostKey: KEY, privateKey: "key" });
  expect(bodyOf(sftp)).not.toHaveProperty("password");
  expect(bodyOf(sftp)).not.toHaveProperty("tls");
});

it("sends of a drive only what was given", () => {
  const draft = { ...emptyDraft("drive", "webdav"), name: "Cloud", parameters: { url: "https://dav", pass: "" } };
  expect(bodyOf(draft)).toMatchObject({ kind: "drive", provider: "webdav", parameters: { url: "https://dav" } });
  expect(bodyOf(draft)).not.toHaveProperty("host");
});

it("changes nothing where nothing was changed", () => {
  expect(changesOf(nas, draftOf(nas))).toEqual({});
  expect(changesOf(cloud, draftOf(cloud))).toEqual({});
  expect(trialOf(nas, draftOf(nas))).toEqual({ id: "12" });
});

it("forgets the confirmed key with another address, and sends it again there", () => {
  const moved = withAddress(draftOf(nas), { host: "other" });
  expect(changesOf(nas, moved)).toEqual({ host: "other" });
  expect(changesOf(nas, { ...moved, hostKey: KEY })).toEqual({ host: "other", hostKey: KEY });
});

it("keeps secrets that are left empty, and takes away other parameters that are", () => {
  const draft = draftOf(cloud);
  expect(draft.parameters).toEqual({ url: "https://dav", user: "ann" });
  const changed = { ...draft, parameters: { ...draft.parameters, user: "", pass: "" } };
  expect(changesOf(cloud, changed)).toEqual({ parameters: { user: "" } });
  const renewed = { ...draft, parameters: { ...draft.parameters, pass: "new" } };
  expect(changesOf(cloud, renewed)).toEqual({ parameters: { pass: "new" } });
});

it("sends another character set of names, and not the usual one", () => {
  const draft = { ...emptyDraft("ftp"), name: "NAS", host: "nas", user: "ann" };
  expect(bodyOf(draft)).not.toHaveProperty("characterSet");
  expect(bodyOf({ ...draft, characterSet: "shift_jis" }).characterSet).toBe("shift_jis");
});
