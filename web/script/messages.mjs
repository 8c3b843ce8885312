// The texts of the interface: English is complete, and other languages fall back to it.
//
//   node script/messages.mjs    prints how many texts each language lacks, and which; release with none
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../src/messages", import.meta.url));

const read = (name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8"));

/** The English file with the same sections as this one. */
const englishOf = (name) => (name.endsWith("-pages.json") ? "en-pages.json" : "en.json");

/** Completes each language by English while the interface is built. */
export function messages() {
  return {
    name: "messages",
    load(id) {
      const name = basename(id);
      if (join(FOLDER, name) !== id || !name.endsWith(".json")) return null;
      this.addWatchFile(join(FOLDER, englishOf(name)));
      return JSON.stringify({ ...read(englishOf(name)), ...read(name) });
    },
  };
}

/** The keys that each file of another language lacks. */
export function missingTexts() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return names.map((name) => {
    const own = read(name);
    return { name, keys: Object.keys(read(englishOf(name))).filter((key) => !Object.hasOwn(own, key)) };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = missingTexts();
  for (const { name, keys } of missing) process.stdout.write(`${name}: ${keys.length} missing ${keys.join(" ")}\n`);
  process.exitCode = missing.some(({ keys }) => keys.length > 0) ? 1 : 0;
}
