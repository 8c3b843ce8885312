import { askAboutTaken, entriesByName, itemOf } from "~/conflicts";
import type { Entry } from "./entries";
import { parentPath } from "./path";

/** What one task does with a part of the entries. */
export type Part = { entries: Entry[]; onConflict: "replace" | "keepBoth" };

/** Asks what happens to names that are taken at the destination; null where nothing is to be done. */
export async function planTransfer(entries: readonly Entry[], destination: string): Promise<Part[] | null> {
  const there = await entriesByName(destination);
  const taken = entries.flatMap((entry) => {
    const other = there.get(entry.name);
    // What is copied to where it is becomes a second one; there is nothing to ask.
    return other && parentPath(entry.path) !== destination ? [{ entry, other }] : [];
  });
  const choices = await askAboutTaken(
    taken.map(({ entry, other }) => ({ name: entry.name, there: itemOf(other), coming: itemOf(entry) })),
  );
  if (!choices) return null;
  const chosen = new Map(taken.map(({ entry }, index) => [entry, choices[index]]));
  // A name that is taken only after this look is kept beside the other: nothing is lost.
  const keptBoth = entries.filter((entry) => (chosen.get(entry) ?? "keepBoth") === "keepBoth");
  const replacing = entries.filter((entry) => chosen.get(entry) === "replace");
  const parts: Part[] = [
    { entries: keptBoth, onConflict: "keepBoth" },
    { entries: replacing, onConflict: "replace" },
  ];
  return parts.filter((part) => part.entries.length > 0);
}
