// A client whose types come from the served description alone: it lists, uploads and downloads.
import createClient from "openapi-fetch";
import type { components, paths } from "./description.js";

type Kind = components["schemas"]["Location"]["kind"];
type Role = components["schemas"]["Account"]["role"];

// @ts-expect-error: the kinds are known words.
export const noKind: Kind = "cellar";
// @ts-expect-error: so are the roles.
export const noRole: Role = "guest";

function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

function sent(files: Record<string, Blob | Blob[] | undefined>, names: string[]): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(files)) {
    for (const blob of [value ?? []].flat()) form.append(field, blob, names.shift());
  }
  return form;
}

export async function exercise(baseUrl: string, key: string): Promise<string[]> {
  const client = createClient<paths>({ baseUrl, headers: { "X-API-Key": key } });

  const account = await client.GET("/api/v1/account");
  const role: Role = "user";
  check(account.data?.data.role === role, "the account's role");

  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
  const uploaded = await client.POST("/api/v1/files/upload", {
    params: { query: { path: "" } },
    body: { file: new Blob(["hello"]), files: [new Blob([bytes]), new Blob([])] },
    bodySerializer: (body) => sent(body, ["hello.txt", "bytes.bin", "empty"]),
  });
  check(uploaded.data?.data.count === 3, `the upload: ${JSON.stringify(uploaded.error)}`);

  const downloaded = await client.GET("/api/v1/files/download", {
    params: { query: { path: "bytes.bin" } },
    parseAs: "arrayBuffer",
  });
  check(downloaded.data !== undefined, "the download");
  const content = new Uint8Array(downloaded.data);
  check(content.length === bytes.length && content.every((byte, index) => byte === bytes[index]), "the bytes");

  const refused = await client.GET("/api/v1/files/download", { params: { query: { path: "none" } } });
  check(refused.error?.success === false && refused.response.status === 404, "the error's type");

  const locations = await client.GET("/api/v1/locations");
  const kinds: Kind[] = (locations.data?.data ?? []).map((location) => location.kind);
  check(kinds.length === 1 && kinds[0] === "own", "the kinds of the locations");

  const listed = await client.GET("/api/v1/files");
  return (listed.data?.data ?? []).map((entry) => `${entry.name} ${entry.size}`);
}
