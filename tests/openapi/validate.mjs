// Validates an OpenAPI document: node validate.mjs FILE. Says what is wrong and exits with 1.
import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";

const document = JSON.parse(await readFile(process.argv[2], "utf8"));
const validator = new Validator();
const result = await validator.validate(document);
if (!result.valid) {
  console.error(JSON.stringify(result.errors, null, 2));
  process.exit(1);
}
console.log(`a valid OpenAPI ${validator.version} document`);
