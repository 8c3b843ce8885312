// The form of a connector, and the request that it becomes.
import type { paths } from "~/api/v2";
import type { CharacterSet } from "~/content/character-sets";
import type { Connector } from "./query";

type Tls = "none" | "explicit" | "implicit";

export type Draft = {
  kind: Connector["kind"];
  provider: string;
  name: string;
  description: string;
  readOnly: boolean;
  root: string;
  host: string;
  /** As it is typed; empty for the usual one. */
  port: string;
  user: string;
  tls: Tls;
  characterSet: CharacterSet;
  /** The SFTP server's key that a person confirmed; empty while nobody did. */
  hostKey: string;
  usesPrivateKey: boolean;
  password: string;
  privateKey: string;
  passphrase: string;
  parameters: Record<string, string>;
};

export type LoginWish = paths["/api/v2/connectors/authorize"]["post"]["requestBody"]["content"]["application/json"];
type Trial = paths["/api/v2/connectors/test"]["post"]["requestBody"]["content"]["application/json"];
type Wanted = paths["/api/v2/connectors"]["post"]["requestBody"]["content"]["application/json"];
type Changes = paths["/api/v2/connectors/{id}"]["patch"]["requestBody"]["content"]["application/json"];

export function emptyDraft(kind: Draft["kind"], provider = "", tls: Tls = "none"): Draft {
  return {
    kind,
    provider,
    name: "",
    description: "",
    readOnly: false,
    root: "",
    host: "",
    port: "",
    user: "",
    tls,
    characterSet: "utf-8",
    hostKey: "",
    usesPrivateKey: false,
    password: "",
    privateKey: "",
    passphrase: "",
    parameters: {},
  };
}

/** A connector as it is, to be changed. What is secret is not known here, and left empty stays as it is. */
export function draftOf(connector: Connector): Draft {
  const { kind, name, description, readOnly, server, drive } = connector;
  const told = Object.entries((drive?.parameters ?? {}) as Record<string, string | null>);
  return {
    ...emptyDraft(kind, drive?.provider ?? ""),
    name,
    description,
    readOnly,
    root: server?.root ?? drive?.root ?? "",
    host: server?.host ?? "",
    port: server ? String(server.port) : "",
    user: server?.user ?? "",
    tls: server?.tls ?? "none",
    characterSet: server?.characterSet ?? "utf-8",
    hostKey: server?.hostKey ?? "",
    usesPrivateKey: server?.usesPrivateKey ?? false,
    parameters: Object.fromEntries(told.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
  };
}

/** The port that is taken where none is typed. */
export function usualPort({ kind, tls }: Pick<Draft, "kind" | "tls">): number {
  if (kind === "sftp") return 22;
  return tls === "implicit" ? 990 : 21;
}

/** Another server, or another way to it: the key that was confirmed says nothing of it. */
export function withAddress(draft: Draft, address: Partial<Pick<Draft, "host" | "port">>): Draft {
  return { ...draft, ...address, hostKey: "" };
}

function portOf(draft: Draft): number {
  return draft.port === "" ? usualPort(draft) : Number(draft.port);
}

function secretsOf(draft: Draft) {
  if (draft.kind === "drive") return {};
  if (!draft.usesPrivateKey) return draft.password === "" ? {} : { password: draft.password };
  if (draft.privateKey === "") return {};
  return { privateKey: draft.privateKey, ...(draft.passphrase !== "" && { passphrase: draft.passphrase }) };
}

/** A new connector. */
export function bodyOf(draft: Draft): Wanted {
  const { kind, name, description, readOnly, root } = draft;
  const common = { kind, name: name.trim(), description, readOnly, root };
  if (kind === "drive") {
    const given = Object.entries(draft.parameters).filter(([, value]) => value !== "");
    return { ...common, provider: draft.provider, parameters: Object.fromEntries(given) };
  }
  return {
    ...common,
    host: draft.host.trim(),
    port: portOf(draft),
    user: draft.user,
    ...(kind === "ftp" && { tls: draft.tls }),
    ...(draft.characterSet !== "utf-8" && { characterSet: draft.characterSet }),
    ...(kind === "sftp" && draft.hostKey !== "" && { hostKey: draft.hostKey }),
    ...secretsOf(draft),
  };
}

/** The changed fields. An empty parameter is removed, but an empty secret stays as it was. */
export function changesOf(connector: Connector, draft: Draft): Changes {
  const before = draftOf(connector);
  const changes: Changes = {};
  for (const member of ["name", "description", "readOnly", "root"] as const) {
    if (draft[member] !== before[member]) Object.assign(changes, { [member]: draft[member] });
  }
  if (draft.kind === "drive") {
    const names = new Set([...Object.keys(before.parameters), ...Object.keys(draft.parameters)]);
    const changed = [...names].filter((name) => (draft.parameters[name] ?? "") !== (before.parameters[name] ?? ""));
    if (changed.length === 0) return changes;
    return { ...changes, parameters: Object.fromEntries(changed.map((name) => [name, draft.parameters[name] ?? ""])) };
  }
  const [host, port] = [draft.host.trim(), portOf(draft)];
  const isElsewhere = host !== before.host || port !== Number(before.port);
  return {
    ...changes,
    ...(host !== before.host && { host }),
    ...(port !== Number(before.port) && { port }),
    ...(draft.user !== before.user && { user: draft.user }),
    ...(draft.tls !== before.tls && { tls: draft.tls }),
    ...(draft.characterSet !== before.characterSet && { characterSet: draft.characterSet }),
    // To another address the key is said again, even where it is the same.
    ...(draft.hostKey !== "" && (isElsewhere || draft.hostKey !== before.hostKey) && { hostKey: draft.hostKey }),
    ...secretsOf(draft),
  };
}

/** The settings to test before they are stored. */
export function trialOf(connector: Connector | null, draft: Draft): Trial {
  if (connector) return { id: connector.id, ...changesOf(connector, draft) };
  const { name, ...rest } = bodyOf(draft);
  return name === "" ? rest : { name, ...rest };
}

/** The request that begins a login at a drive's provider. */
export function loginWishOf(connector: Connector | null, draft: Draft): LoginWish {
  const { parameters } = trialOf(connector, draft);
  return { ...(connector ? { id: connector.id } : { provider: draft.provider }), parameters: parameters ?? {} };
}
