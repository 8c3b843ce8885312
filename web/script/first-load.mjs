// Assigns modules to the parts of the first load. By itself the bundler makes a part for each set of pages that share
// something: sixty parts for the list of files, and small files pack badly.
import { fileURLToPath } from "node:url";

const source = (path) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

const ENTRY = ["main.tsx"];
const LIST_OF_FILES = ["shell/Shell.tsx", "files/FilesPage.tsx"];
/** Pages for people who are not signed in; they load nothing that only the list of files needs. */
const SIGNED_OUT = ["sign-in/SignInPage.tsx", "guest/GuestPage.tsx"];

/** The name of a module's part, as the bundler asks for it. */
export function partOf() {
  let parts;
  return (id, graph) => {
    parts ??= partsOf(graph);
    return parts.get(id) ?? null;
  };
}

/** No part uses a later one: modules that two starts share, with all that they use themselves, lie in an earlier part. */
function partsOf(graph) {
  const base = reachable(ENTRY, graph);
  const signedOut = reachable(SIGNED_OUT, graph);
  const parts = new Map();
  for (const id of reachable(LIST_OF_FILES, graph)) parts.set(id, signedOut.has(id) ? "controls" : "files");
  for (const id of base) parts.set(id, "base");
  return parts;
}

/** All that these import, but not what they load later. */
function reachable(starts, graph) {
  const found = new Set(starts.map(source));
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
