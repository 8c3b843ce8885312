// Imports each icon from its own file. Through the package's list of all icons, every icon that any page shows would be
// reached from the list of files, and lie in the first load.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const LIST = createRequire(import.meta.url)
  .resolve("lucide-react")
  .replace("cjs/lucide-react.js", "esm/lucide-react.mjs");
const IMPORT = /import \{([^}]+)\} from "lucide-react";/g;

/** The file of each icon, by the names that it is exported by. */
function filesOfIcons() {
  const files = new Map();
  for (const [, names, file] of readFileSync(LIST, "utf8").matchAll(
    /^export \{(.+)\} from '\.\/icons\/(.+)\.mjs';$/gm,
  )) {
    for (const [, name] of names.matchAll(/default as (\w+)/g)) files.set(name, file);
  }
  return files;
}

export function icons() {
  const files = filesOfIcons();
  const importOf = (word) => {
    const [name, local = name] = word.split(" as ");
    if (!files.has(name)) throw new Error(`lucide-react has no icon ${name}`);
    return `import ${local} from "lucide-react/icons/${files.get(name)}";`;
  };
  const importsOf = (list) =>
    list
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "" && !word.startsWith("type "))
      .map(importOf)
      .join(" ");
  return {
    name: "icons",
    apply: "build",
    enforce: "pre",
    transform: (code, id) => (/\.tsx?$/.test(id) ? code.replace(IMPORT, (_, list) => importsOf(list)) : null),
  };
}
