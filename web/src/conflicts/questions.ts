import { answerOf, v2 } from "~/api/client";
import { fetchAll } from "~/api/cursor-list";
import { hasCode } from "~/api/problem";
import type { Entry } from "~/model/entries";
import { Store } from "~/platform/store";

/** One of the two that want the same name. */
export type Item = {
  isDirectory: boolean;
  /** Null where it is not known, as of a folder. */
  size: number | null;
  modifiedAt: Date | null;
  /** The source of its picture: a path on the server, or a file of this device. */
  picture: string | File | null;
};

/** `folder` is where both are to be. */
export type Conflict = { folder: string; name: string; there: Item; coming: Item };
export type Choice = "replace" | "keepBoth" | "skip";

/** The conflict asked about now, and how many follow. */
export type Asked = {
  conflict: Conflict;
  left: number;
  answer: (choice: Choice, forAll: boolean) => void;
  /** Cancels the whole. */
  cancel: () => void;
};

type Question = {
  conflicts: readonly Conflict[];
  choices: Choice[];
  settle: (choices: Choice[] | null) => void;
};

/** Applies a choice for all to one conflict: no file replaces a folder. */
function suited(choice: Choice, { there, coming }: Conflict): Choice {
  return choice === "replace" && !canReplace(there, coming) ? "keepBoth" : choice;
}

/** A file takes a file's place, and what a folder holds goes into the folder that is there. */
export function canReplace(there: Item, coming: Item): boolean {
  return there.isDirectory === coming.isDirectory;
}

/** Questions about taken names, one after the other. */
export class Questions {
  private readonly waiting: Question[] = [];
  readonly asked = new Store<Asked | null>(null);
  readonly current = this.asked.get;

  /** A choice for each conflict; null where it is cancelled. */
  ask(conflicts: readonly Conflict[]): Promise<Choice[] | null> {
    if (conflicts.length === 0) return Promise.resolve([]);
    return new Promise((settle) => {
      this.waiting.push({ conflicts, choices: [], settle });
      this.show();
    });
  }

  private show(): void {
    const [question] = this.waiting;
    const conflict = question?.conflicts[question.choices.length];
    this.asked.set(
      question && conflict
        ? {
            conflict,
            left: question.conflicts.length - question.choices.length - 1,
            answer: (choice, forAll) => this.answer(question, choice, forAll),
            cancel: () => this.end(question, null),
          }
        : null,
    );
  }

  private answer(question: Question, choice: Choice, forAll: boolean): void {
    const { conflicts, choices } = question;
    const answered = conflicts.slice(choices.length, forAll ? conflicts.length : choices.length + 1);
    choices.push(...answered.map((conflict) => suited(choice, conflict)));
    if (choices.length === conflicts.length) this.end(question, choices);
    else this.show();
  }

  private end(question: Question, choices: Choice[] | null): void {
    this.waiting.splice(this.waiting.indexOf(question), 1);
    question.settle(choices);
    this.show();
  }
}

const questions = new Questions();

/** Asks what to do where names are taken, in a dialog. Null where nothing is to be done at all. */
export function askAboutTaken(conflicts: readonly Conflict[]): Promise<Choice[] | null> {
  return questions.ask(conflicts);
}

export function useAsked(): Asked | null {
  return questions.asked.use();
}

const PAGE = 1_000;

/** The entries of a folder by their names; empty if there is no such folder. */
export async function entriesByName(path: string): Promise<Map<string, Entry>> {
  try {
    const entries = await fetchAll((page) =>
      answerOf(v2.GET("/api/v2/files", { params: { query: { path, limit: PAGE, ...page } } })),
    );
    return new Map(entries.map((entry) => [entry.name, entry]));
  } catch (error) {
    if (hasCode(error, "not_found")) return new Map();
    throw error;
  }
}

/** Something that the server has, as a question shows it. */
export function itemOf({ path, isDirectory, size, modifiedAt }: Entry): Item {
  return {
    isDirectory,
    size: isDirectory ? null : size,
    modifiedAt: new Date(`${modifiedAt}Z`),
    picture: isDirectory ? null : path,
  };
}

/** The items that one task moves, copies or restores in one way. */
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
