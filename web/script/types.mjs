// Makes the types that are not kept in the repository:
//
//   node script/types.mjs              src/messages/english.d.ts, from the English texts
//   node script/types.mjs DESCRIBE     and src/api/v1.d.ts and v2.d.ts, from the output of the program coffer_describe
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const source = (path) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
const texts = ["en", "en-pages"].map((name) => JSON.parse(readFileSync(source(`messages/${name}.json`), "utf8")));
const english = JSON.stringify(Object.assign({}, ...texts), null, 2);
writeFileSync(source("messages/english.d.ts"), `export type English = ${english};\n`);

const [describe] = process.argv.slice(2);
if (describe !== undefined) {
  const described = JSON.parse(execFileSync(describe, { maxBuffer: 64 * 1024 * 1024 }));
  for (const [version, description] of Object.entries(described)) {
    writeFileSync(source(`api/${version}.d.ts`), astToString(await openapiTS(description)));
  }
}
