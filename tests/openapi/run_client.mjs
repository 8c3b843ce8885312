// Runs the compiled client: node run_client.mjs CLIENT URL KEY. Prints what it finds in the root.
import { pathToFileURL } from "node:url";

const [client, url, key] = process.argv.slice(2);
const { exercise } = await import(pathToFileURL(client).href);
for (const line of await exercise(url, key)) console.log(line);
