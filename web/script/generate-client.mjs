// Makes the types of the client from the descriptions that a running server gives of its API:
// node generate-client.mjs URL [OUTPUT]. Without OUTPUT into src/api, where they are committed.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const HEAD = "// Made by script/generate-client.mjs from the server's description of its API.\n\n";
const [url, output = fileURLToPath(new URL("../src/api", import.meta.url))] = process.argv.slice(2);

await mkdir(output, { recursive: true });
for (const [version, path] of Object.entries({ v1: "/api/openapi.json", v2: "/api/v2/openapi.json" })) {
  const answer = await fetch(new URL(path, url));
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  const nodes = await openapiTS(await answer.json());
  await writeFile(join(output, `${version}.d.ts`), HEAD + astToString(nodes));
}
