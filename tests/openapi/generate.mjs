// Generates the types of a client from an OpenAPI document: node generate.mjs DOCUMENT OUTPUT.
// Strings of the format binary are blobs, as openapi-typescript's manual shows for its `transform`.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const blob = ts.factory.createTypeReferenceNode("Blob");
const [document, output] = process.argv.slice(2);
const nodes = await openapiTS(JSON.parse(await readFile(document, "utf8")), {
  transform: (schema) => (schema.format === "binary" ? blob : undefined),
});
await writeFile(output, astToString(nodes));
