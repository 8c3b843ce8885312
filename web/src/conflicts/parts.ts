import { askAboutTaken, type Conflict } from "./questions";

/** What one task does with a part of what is moved, copied or restored. */
export type Part<Thing> = { things: Thing[]; onConflict: "replace" | "keepBoth" };

/** Asks what happens where a thing's name is taken, which `conflictOf` tells; null where nothing is to be done. */
export async function askForParts<Thing>(
  all: readonly Thing[],
  conflictOf: (thing: Thing) => Conflict | null,
): Promise<Part<Thing>[] | null> {
  const taken = all.flatMap((thing) => {
    const conflict = conflictOf(thing);
    return conflict ? [{ thing, conflict }] : [];
  });
  const choices = await askAboutTaken(taken.map(({ conflict }) => conflict));
  if (!choices) return null;
  const chosen = new Map(taken.map(({ thing }, index) => [thing, choices[index]]));
  // A name that is taken only after this look is kept beside the other: nothing is lost.
  const parts: Part<Thing>[] = (["keepBoth", "replace"] as const).map((onConflict) => ({
    things: all.filter((thing) => (chosen.get(thing) ?? "keepBoth") === onConflict),
    onConflict,
  }));
  return parts.filter(({ things }) => things.length > 0);
}
